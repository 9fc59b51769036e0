-- Chunks with their texts, by number.
select
    chunk_no, id, node_key, doc_id, repo, branch, source_file, start_line, end_line, file_type, file_class, text
from documents
where chunk_no in (select unnest($numbers::integer[])) and file_type <> 'inline_sql'
order by chunk_no;
