-- Numbers of snapshots and nodes, and the texts from which edges are read.
create or replace temp table numbered_snapshots as
select row_number() over (order by repo, branch)::smallint as snapshot_no, *
from stage.snapshots;

create or replace temp table numbered_nodes as
with first_of_key as (
    select node.rowid as row_id, snapshot.snapshot_no, node.node_key, node.kind, node.is_external
    from stage.nodes as node
    join numbered_snapshots as snapshot using (repo, branch)
    qualify row_number() over (
        partition by snapshot_no, node_key order by is_external, source_file, start_line, node.rowid
    ) = 1
)
select row_number() over (order by snapshot_no, node_key)::integer as node_id, *
from first_of_key;

create or replace temp view edge_texts as select repo, branch, file_path, text from stage.sources;
