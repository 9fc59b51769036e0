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
