-- Numbers of snapshots, nodes and files, and edges that name them by number: narrow enough to be sorted and sliced.
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

-- What one repository names and another defines is one node: that of the same branch, else of the last prepare.
create or replace temp table definitions as
with alternatives (written_kind, defined_kind) as (
    values
        ('TABLE', 'VIEW'), ('TABLE', 'SYNONYM'), ('TABLE', 'FUNC'), ('VIEW', 'TABLE'), ('VIEW', 'SYNONYM'),
        ('PROC', 'FUNC'), ('PROC', 'SYNONYM'), ('FUNC', 'PROC'), ('FUNC', 'SYNONYM')
)
select outside.node_id, defined.node_id as definition_id
from numbered_nodes as outside
join numbered_snapshots as own on own.snapshot_no = outside.snapshot_no
join numbered_nodes as defined
    on lower(regexp_replace(defined.node_key, '\|[^|]*$', ''))
        = lower(regexp_replace(outside.node_key, '\|[^|]*$', ''))
    and not defined.is_external
join numbered_snapshots as other on other.snapshot_no = defined.snapshot_no and other.repo <> own.repo
left join alternatives
    on alternatives.written_kind = outside.kind and alternatives.defined_kind = defined.kind
where outside.is_external and (defined.kind = outside.kind or alternatives.written_kind is not null)
qualify row_number() over (
    partition by outside.node_id
    order by
        defined.kind <> outside.kind, other.branch <> own.branch, -epoch(other.prepared_at), defined.node_id
) = 1;

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
