-- Numbers of the snapshots of a repository and branch; null for any.
select snapshot_no
from snapshots
where repo = coalesce($repo, repo) and branch = coalesce($branch, branch)
order by snapshot_no;
