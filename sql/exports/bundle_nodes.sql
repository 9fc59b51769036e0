-- Nodes of one repository and branch, with the language of their files and the database that they are part of.
with databases as (
    select node_key, any_value(split_part(db_key, '::', 1)) as database
    from documents
    where repo = $repo and branch = $branch and db_key is not null
    group by node_key
)
select
    node.node_key, node.kind, node.role, node.name, node.schema, node.project, node.source_file, node.start_line,
    node.end_line, node.is_external, source.language, databases.database
from nodes as node
left join source_documents as source
    on source.repo = node.repo and source.branch = node.branch and source.file_path = node.source_file
left join databases on databases.node_key = node.node_key
where node.repo = $repo and node.branch = $branch
order by node.source_file, node.start_line, node.node_key
