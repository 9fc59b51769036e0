-- Nodes, edges or links that are out of order, or numbered otherwise than from 1: walks would be slow, or go astray.
-- In a store that was amended links lie in another order, but have their places.
with numbered as (
    select 'nodes' as place, node_id as number, row_number() over (order by repo, branch, node_key) as expected
    from nodes
    union all
    select 'edges', edge_no, row_number() over (order by from_id, relation, to_id, edge_no) from edges
    union all
    select 'places of links', place, row_number() over (partition by node_id, step order by place) from links
    union all
    select 'links', rowid + 1, row_number() over (order by node_id, step, place)
    from links
    where not exists (from ragduck_meta where key = 'amended_chunks')
)
select place, number, expected
from numbered
where number <> expected
order by place, number
