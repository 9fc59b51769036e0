-- Members that types inherit, asked for by names that no node has: the type, and the member as it is declared.
with asked as materialized (
    select name, name_key(name) as name_key
    from (select unnest($names::varchar[]) as name)
),
called as (
    select asked.name, node.node_key, names.rank
    from asked
    join node_names as names using (name_key)
    join nodes as node using (node_id)
    where node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
    qualify min(names.rank) over (partition by asked.name) = 6
)
select
    name, array_to_string(string_split(name, '.')[:-2], '.') as type_name,
    array_to_string(string_split(split_part(min(node_key), '|', 1), '.')[-2:], '.') as declared
from called
group by name;
