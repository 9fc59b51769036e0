-- Nodes of the branch in order of their keys, and all nodes that get other numbers by that: less than zero those that are
-- gone.
create or replace temp table own_ids as
select
    own.node_key, held.held_id,
    (getvariable('nodes_before') + row_number() over (order by own.node_key))::integer as node_id
from stage.nodes as own
left join held_nodes as held using (node_key);

insert into node_ids
select held_id, node_id from own_ids where held_id <> node_id
union all
select held_id, -held_id from gone_nodes
union all
select node_id, node_id + getvariable('more_nodes')
from store.nodes
where getvariable('more_nodes') <> 0 and node_id > getvariable('nodes_before') + getvariable('nodes_were');

update fresh_nodes set node_id = own.node_id from own_ids as own where own.node_key = fresh_nodes.node_key;
