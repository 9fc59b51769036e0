-- Whether the live file holds anything that is not replaced: to find that there are no such rows, 02_keep would
-- read all columns of all.
select 1
from (
    select repo, branch from live.snapshots
    union all
    select repo, branch from live.documents
)
anti join replaced using (repo, branch)
limit 1
