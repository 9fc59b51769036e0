-- How many edges of some relations nodes have, along them, against them or both, and with how many other nodes; recursion
-- does not count, nor for neighbours what ties the nodes to each other. With kinds only those with nodes of such kinds.
select
    count(distinct (link.node_id, link.step, link.neighbour_id)) as links,
    count(distinct link.neighbour_id) filter (not list_contains($ids::integer[], link.neighbour_id)) as neighbours
from links as link
join steps as step using (step)
where link.node_id in (select unnest($ids::integer[]))
    and list_contains($relations::varchar[], step.relation)
    and $direction in (step.direction, 'both')
    and link.neighbour_id <> link.node_id
    and (
        len($kinds::varchar[]) = 0
        or link.neighbour_id in (select node_id from nodes where list_contains($kinds::varchar[], kind))
    );
