-- Chunks by id, object or node key, in reading order; the id of an object stands for all its parts.
select
    node_id, id, node_key, repo, branch, source_file, start_line, end_line,
    element_name, element_type, file_type, chunk_part, chunk_total, text
from documents
where $key in (id, node_id, db_key)
    or $key in (node_key, cs_key) and file_type <> 'inline_sql'  -- its lines are those of the member, too
    or starts_with(id, $key || ':part=')
order by repo, branch, source_file, start_line, chunk_part;
