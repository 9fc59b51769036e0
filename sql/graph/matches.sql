-- Nodes that fit a name best, in the order in which people may mean them, with the objects of the database that fit as
-- well and that the store only refers to. Several keys say that it is ambiguous, one key in several branches does not.
select node_id, node_key, repo, branch, rank = min(rank) over () as is_best
from node_matches($key)
where rank < 100 and repo = coalesce($repo, repo) and branch = coalesce($branch, branch)
qualify floor(rank) = min(floor(rank)) over ()
order by place, node_key, node_id;
