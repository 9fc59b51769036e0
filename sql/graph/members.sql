-- What types and files contain, two levels deep.
with containing as materialized (
    select step from steps where relation = 'Contains' and direction = 'out'
),
inside as materialized (
    select neighbour_id as node_id
    from links
    semi join containing using (step)
    where links.node_id in (select unnest($ids::integer[]))
)
select node_id from inside
union
select links.neighbour_id
from links
semi join containing using (step)
semi join inside using (node_id)
order by node_id;
