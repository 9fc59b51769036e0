-- Nodes that are called as a question says, for each of its names those that fit it best, at most `top_n`. Members, whose
-- rank is 4, count only for names that are written as code writes them.
with asked as materialized (
    select name, is_identifier, name_key(name) as name_key
    from (select unnest($names::varchar[]) as name, unnest($identifiers::boolean[]) as is_identifier)
)
select asked.name, node.node_key
from asked
join node_names as names using (name_key)
join nodes as node using (node_id)
where not node.is_external and node.node_key not like 'file:%' and (names.rank < 4 or asked.is_identifier)
    and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
group by asked.name, node.node_key, names.rank
qualify names.rank = min(names.rank) over (partition by asked.name)
    and row_number() over (partition by asked.name order by node.node_key) <= $top_n
order by asked.name, node.node_key;
