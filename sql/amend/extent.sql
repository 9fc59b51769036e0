-- Behind which numbers the rows of the branch begin in the store, and how many there are. None where some are missing, or
-- not one behind the other.
with chunks as (
    select min(chunk_no) - 1 as before, count(*) as rows, max(chunk_no) as last
    from store.documents
    where repo = getvariable('repo') and branch = getvariable('branch')
),
nodes as (
    select min(node_id) - 1 as before, count(*) as rows, max(node_id) as last
    from store.nodes
    where repo = getvariable('repo') and branch = getvariable('branch')
),
edges as (
    select min(edge_no) - 1 as before, count(*) as rows, max(edge_no) as last
    from store.edges
    where repo = getvariable('repo') and branch = getvariable('branch')
),
files as (
    select min(file_no) - 1 as before, count(distinct file_no) as rows, max(file_no) as last
    from store.chunk_signals, chunks
    where chunk_no > chunks.before and chunk_no <= chunks.last
)
select
    snapshot.snapshot_no, chunks.before as chunks_before, chunks.rows as chunks, nodes.before as nodes_before,
    nodes.rows as nodes, edges.before as edges_before, edges.rows as edges, files.before as files_before,
    files.rows as files
from store.snapshots as snapshot, chunks, nodes, edges, files
where snapshot.repo = getvariable('repo') and snapshot.branch = getvariable('branch')
    and chunks.last = chunks.before + chunks.rows and nodes.last = nodes.before + nodes.rows
    and edges.last = edges.before + edges.rows and files.last = files.before + files.rows
