-- Nodes by their whole keys, several at once; those that a repository defines rather than those it refers to.
with asked as (
    select distinct written, name_key(written) as name_key
    from (select unnest($keys::varchar[]) as written)
)
select node.node_id, node.node_key, node.repo, node.branch
from asked
join node_names as names on names.name_key = asked.name_key
join nodes as node on node.node_id = names.node_id and node.node_key = asked.written
where names.rank = 1 and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
qualify node.is_external = min(node.is_external) over (partition by node.node_key)
order by node.node_id;
