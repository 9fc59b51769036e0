-- Nodes by id with the whole text of their file; the lines are cut out afterwards.
select
    source.doc_id, node.node_key, node.repo, node.branch, node.source_file, source.language, source.file_type,
    node.kind, node.name, node.start_line, node.end_line, source.text
from nodes as node
join source_documents as source
    on source.file_path = node.source_file and source.repo = node.repo and source.branch = node.branch
where node.node_id in (select unnest($ids::integer[]))
order by node.node_id;
