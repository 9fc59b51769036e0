-- Nodes of one whole key, one for each repository and branch.
select node_id, node_key, repo, branch, is_external
from nodes
where node_id in (select node_id from node_names where name_key = name_key($key) and rank = 1)
    and node_key = $key
    and repo = coalesce($repo, repo) and branch = coalesce($branch, branch)
order by node_id;
