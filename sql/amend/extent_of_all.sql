-- How many rows of each kind the store has. None where their numbers are others than those from 1 on.
with chunks as (
    select count(*) as rows, coalesce(min(chunk_no), 1) as first, coalesce(max(chunk_no), 0) as last
    from store.documents
),
nodes as (
    select count(*) as rows, coalesce(min(node_id), 1) as first, coalesce(max(node_id), 0) as last from store.nodes
),
edges as (
    select count(*) as rows, coalesce(min(edge_no), 1) as first, coalesce(max(edge_no), 0) as last from store.edges
),
files as (
    select count(distinct file_no) as rows, coalesce(min(file_no), 1) as first, coalesce(max(file_no), 0) as last
    from store.chunk_signals
)
select
    snapshot.snapshot_no, 0 as chunks_before, chunks.rows as chunks, 0 as nodes_before, nodes.rows as nodes,
    0 as edges_before, edges.rows as edges, 0 as files_before, files.rows as files
from store.snapshots as snapshot, chunks, nodes, edges, files
where snapshot.repo = getvariable('repo') and snapshot.branch = getvariable('branch')
    and chunks.first = 1 and chunks.last = chunks.rows and nodes.first = 1 and nodes.last = nodes.rows
    and edges.first = 1 and edges.last = edges.rows and files.first = 1 and files.last = files.rows
