-- Numbers of the nodes that have others than before.
update store.nodes set node_id = moved.node_id from node_ids as moved where moved.held_id = nodes.node_id;

update store.nodes
set definition_id = moved.node_id
from node_ids as moved
where moved.held_id = nodes.definition_id;

update store.edges set from_id = moved.node_id from node_ids as moved where moved.held_id = edges.from_id;

update store.edges set to_id = moved.node_id from node_ids as moved where moved.held_id = edges.to_id;
