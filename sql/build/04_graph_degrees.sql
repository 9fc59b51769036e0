-- How much a node with many neighbours dampens what passes through it.
create or replace temp table linked_nodes as
with neighbours as (
    select from_id as node_id, to_id as neighbour_id from edges where from_id <> to_id
    union
    select to_id, from_id from edges where from_id <> to_id
),
degrees as (
    select node_id, ln(exp(1) + count(*)) as damping from neighbours group by node_id
)
select node_id, degrees.damping, node.snapshot_no
from degrees
join numbered_nodes as node using (node_id);
