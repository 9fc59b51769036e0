-- The lines of the overload in which an edge stands, by the number of the edge: of chunks of one node that have one
-- signature. Chunks are found by their keys first: DuckDB goes by an index only where nothing else is asked.
with edge as materialized (
    select * from edges where edge_no in (select unnest($edge_nos::integer[]))
),
found as materialized (
    select chunk_no from documents where node_key in (select from_key from edge)
),
chunk as materialized (
    select
        documents.node_key, documents.repo, documents.branch, documents.source_file, documents.signature,
        documents.start_line, documents.end_line
    from documents
    semi join found using (chunk_no)
    where documents.file_type <> 'inline_sql'
)
select edge.edge_no, edge.source_file, min(part.start_line) as start_line, max(part.end_line) as end_line
from edge
join chunk as around
    on around.node_key = edge.from_key and around.repo = edge.repo and around.branch = edge.branch
    and around.source_file = edge.source_file and edge.line between around.start_line and around.end_line
join chunk as part
    on part.node_key = around.node_key and part.repo = around.repo and part.branch = around.branch
    and part.source_file = around.source_file and part.signature is not distinct from around.signature
group by edge.edge_no, edge.source_file;
