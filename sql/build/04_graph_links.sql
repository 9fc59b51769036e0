-- Links to walk the edges in both directions, from a slice of the nodes, the strongest first.
insert into links
with seen_from_both as (
    select from_id as node_id, relation, 'out' as direction, to_id as neighbour_id, confidence, edge_no
    from edges
    where from_id <> to_id and from_id >= getvariable('low') and from_id < getvariable('high')
    union all
    select to_id, relation, 'in', from_id, confidence, edge_no
    from edges
    where from_id <> to_id and to_id >= getvariable('low') and to_id < getvariable('high')
),
first_of_confidence as (
    select node_id, step, neighbour_id, relation, confidence, min(edge_no) as edge_no
    from seen_from_both
    join steps using (relation, direction)
    group by node_id, step, neighbour_id, relation, confidence
),
surest as (
    select
        node_id, step, neighbour_id, relation, max(confidence) as confidence, arg_max(edge_no, confidence) as edge_no
    from first_of_confidence
    group by node_id, step, neighbour_id, relation
),
weighted as (
    select
        surest.*, other.snapshot_no,
        round(10000 * relations.weight * confidence / (own.damping * other.damping))::integer as weight
    from surest
    join relations using (relation)
    join linked_nodes as own on own.node_id = surest.node_id
    join linked_nodes as other on other.node_id = surest.neighbour_id
)
select
    node_id, step, row_number() over (partition by node_id, step order by weight desc, neighbour_id) as place,
    neighbour_id, snapshot_no, weight, edge_no
from weighted
order by node_id, step, place;
