-- In which order can tables be filled? Parents first; tables of a cycle share the last level that was reached.
-- Tables are those that the store defines, and those that entities map to where code alone makes the database; without
-- the history of temporal ones, which the engine fills.
with recursive keys as (
    select distinct from_key as child, to_key as parent
    from edges
    where relation = 'ForeignKey' and from_key <> to_key
),
levels as (
    select node_key, 0 as level
    from nodes
    where kind = 'TABLE' and (not is_external or node_id in (select to_id from edges where relation = 'MapsTo'))
        and node_id not in (select to_id from edges where relation = 'Uses' and rule = 'history table')
    union
    select keys.child, levels.level + 1
    from levels
    join keys on keys.parent = levels.node_key
    where levels.level < 12
)
select max(level) as level, node_key
from levels
group by node_key
order by level, node_key;
