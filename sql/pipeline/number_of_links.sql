-- How many edges of some relations nodes have, along them, against them or both; recursion does not count.
select count(distinct (link.node_id, link.step, link.neighbour_id)) as links
from links as link
join steps as step using (step)
where link.node_id in (select unnest($ids::integer[]))
    and list_contains($relations::varchar[], step.relation)
    and $direction in (step.direction, 'both')
    and link.neighbour_id <> link.node_id;
