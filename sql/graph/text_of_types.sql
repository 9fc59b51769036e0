-- Types by node key with the whole text of the file that defines them; the lines are cut out afterwards.
select
    node.node_key, node.repo, node.branch, node.source_file, node.start_line, node.end_line,
    source.doc_id, source.language, source.file_type, source.text
from nodes as node
join source_documents as source
    on source.file_path = node.source_file and source.repo = node.repo and source.branch = node.branch
where node.node_key in (select unnest($keys::varchar[])) and node.kind in ('TYPE', 'MIGRATION')
order by node.repo, node.branch, node.source_file;
