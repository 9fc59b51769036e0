-- Tables and types that plain words name in full, and the tables that such types map to: types as they are spelt, tables
-- in any spelling.
with asked as materialized (
    select word, name_key(word) as name_key
    from (select unnest($words::varchar[]) as word)
),
named as (
    select distinct asked.word, node.node_id, node.node_key, node.kind
    from asked
    join node_names as names using (name_key)
    join nodes as node using (node_id)
    where names.rank < 4 and lower(node.name) = lower(asked.word)
        and (node.kind in ('TABLE', 'VIEW') or node.kind = 'TYPE' and node.name = asked.word and not node.is_external)
        and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
)
select distinct named.word, named.node_key, mapped.node_key as table_key
from named
left join (
    select links.node_id, target.node_key
    from links
    join steps on steps.step = links.step and steps.relation = 'MapsTo' and steps.direction = 'out'
    join nodes as target on target.node_id = links.neighbour_id
    where target.kind in ('TABLE', 'VIEW')
) as mapped on mapped.node_id = named.node_id
order by all;
