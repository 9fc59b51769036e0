-- Numbers of the nodes and edges that have others than before.
update store.links set node_id = moved.node_id from node_ids as moved where moved.held_id = links.node_id;

update store.links
set neighbour_id = moved.node_id
from node_ids as moved
where moved.held_id = links.neighbour_id;

update store.links set edge_no = moved.edge_no from moved_edges as moved where moved.held_no = links.edge_no;

update store.node_names set node_id = moved.node_id from node_ids as moved where moved.held_id = node_names.node_id;
