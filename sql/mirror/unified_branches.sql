-- Repositories and branches of a store.
select repo, branch, commit_sha
from snapshots
order by repo, branch
