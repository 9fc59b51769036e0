-- Chunks that hold nodes without a chunk of their own, as an interface holds its members: those of the same file that
-- have the node's first line, the shortest first.
with asked as materialized (
    select distinct written, name_key(written) as name_key
    from (select unnest($keys::varchar[]) as written)
),
held as materialized (
    select node.node_key, node.name, node.kind, node.repo, node.branch, node.source_file, node.start_line
    from asked
    join node_names as names on names.name_key = asked.name_key and names.rank = 1
    join nodes as node on node.node_id = names.node_id and node.node_key = asked.written
    where not node.is_external
        and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
)
select held.node_key, held.name, held.kind, chunk.id
from held
join documents as chunk using (repo, branch, source_file)
where held.start_line between chunk.start_line and chunk.end_line and chunk.file_type <> 'inline_sql'
order by held.node_key, chunk.end_line - chunk.start_line, chunk.chunk_no;
