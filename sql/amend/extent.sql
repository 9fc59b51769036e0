-- Which rows are those of the branch: behind how many others they begin, and how many they were.
select
    max(snapshot_no) filter (where is_own) as snapshot_no,
    coalesce(sum(nodes) filter (where is_before), 0)::integer as nodes_before,
    max(nodes) filter (where is_own)::integer as nodes_were,
    coalesce(sum(chunks) filter (where is_before), 0)::integer as chunks_before,
    max(chunks) filter (where is_own)::integer as chunks_were,
    count(distinct repo) as repos
from (
    select
        *, repo = getvariable('repo') and branch = getvariable('branch') as is_own,
        repo < getvariable('repo') or repo = getvariable('repo') and branch < getvariable('branch') as is_before
    from store.snapshots
)
