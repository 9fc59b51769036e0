-- Nodes that fit a name best; several keys say that it is ambiguous, one key in several branches does not.
select node_id, node_key, repo, branch
from node_matches($key)
where rank < 100 and repo = coalesce($repo, repo) and branch = coalesce($branch, branch)
qualify rank = min(rank) over ()
order by node_id;
