-- Edges that cannot be walked from both of their ends, and links without an edge.
with walkable as (
    select edge.from_id, edge.to_id, steps.step, steps.direction
    from edges as edge
    join steps using (relation)
    where edge.from_id <> edge.to_id
),
expected as (
    select distinct
        case direction when 'out' then from_id else to_id end as node_id,
        step,
        case direction when 'out' then to_id else from_id end as neighbour_id
    from walkable
)
select node_id, step, neighbour_id, links.edge_no, expected.step is not null as has_edge
from expected
full join links using (node_id, step, neighbour_id)
where expected.step is null or links.edge_no is null
order by node_id, step, neighbour_id
