-- The repositories and branches of the store.
select repo, branch, commit_sha, root, prepared_at, files, chunks, nodes, edges, skipped, problems
from snapshots
order by repo, branch;
