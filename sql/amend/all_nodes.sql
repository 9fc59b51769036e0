-- Nodes of all branches as they will be, to find what repositories define for each other.
create or replace temp table numbered_snapshots as
select
    held.snapshot_no, held.repo, held.branch, coalesce(own.prepared_at, held.prepared_at) as prepared_at
from store.snapshots as held
left join stage.snapshots as own using (repo, branch);

create or replace temp table numbered_nodes as
select ids.node_id, snapshot.snapshot_no, own.node_key, own.kind, own.is_external
from stage.nodes as own
join own_ids as ids using (node_key)
join numbered_snapshots as snapshot using (repo, branch)
union all
select coalesce(ids.node_id, held.node_id), snapshot.snapshot_no, held.node_key, held.kind, held.is_external
from store.nodes as held
join numbered_snapshots as snapshot using (repo, branch)
left join node_ids as ids on ids.held_id = held.node_id
where (held.repo, held.branch) <> (getvariable('repo')::varchar, getvariable('branch')::varchar);
