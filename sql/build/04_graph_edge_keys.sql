-- Numbers of files, and edges that name files and nodes by number: narrow enough to be sorted and sliced.
create or replace temp table edge_files as
with files as (
    select distinct repo, branch, source_file from stage.edges
)
select row_number() over (order by repo, branch, source_file)::integer as file_no, snapshot.snapshot_no, files.*
from files
join numbered_snapshots as snapshot using (repo, branch);

create or replace temp table numbered_edges as
select
    coalesce(from_definition.definition_id, from_end.node_id) as from_id,
    coalesce(to_definition.definition_id, to_end.node_id) as to_id,
    edge.relation, edge.rule, edge.detail, file.file_no, edge.line, edge.confidence, edge.sites
from stage.edges as edge
join edge_files as file using (repo, branch, source_file)
join numbered_nodes as from_end
    on from_end.node_key = edge.from_key and from_end.snapshot_no = file.snapshot_no
join numbered_nodes as to_end on to_end.node_key = edge.to_key and to_end.snapshot_no = file.snapshot_no
left join definitions as from_definition on from_definition.node_id = from_end.node_id
left join definitions as to_definition on to_definition.node_id = to_end.node_id;

drop table stage.edges;

create or replace temp table snippets (file_no integer, line integer, text varchar);
