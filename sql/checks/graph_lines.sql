-- Nodes whose file is not stored or has not the lines that they name; external nodes that have a place.
with files as (
    select
        repo, branch, file_path as source_file, length(text) - length(replace(text, chr(10), '')) + 1 as lines
    from source_documents
)
select node.node_key, node.repo, node.branch, node.source_file, node.start_line, node.end_line, files.lines
from nodes as node
left join files using (repo, branch, source_file)
where node.is_external <> (node.source_file is null)
    or not node.is_external and not coalesce(
        node.start_line >= 1 and node.end_line >= node.start_line and node.end_line <= files.lines, false
    )
order by node.node_id
