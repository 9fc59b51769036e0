-- The number of each branch, and whether it is the one that a store written whole would give it.
select
    repo, branch, snapshot_no,
    snapshot_no = row_number() over (order by repo, branch) as is_right
from store.snapshots
