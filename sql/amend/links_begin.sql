-- What links and names are made of: they are made anew by a connection of their own, which sees no temporary tables.
create table linking.links as from store.links limit 0;

create table linking.node_names as from store.node_names limit 0;

create table linking.node_ids as from node_ids;

create table linking.moved_edges as from moved_edges;

create table linking.numbered_nodes as select node_id, snapshot_no from numbered_nodes;

create table linking.definitions as from definitions;

create table linking.fresh_nodes as select held_id, name, held_name, is_named_anew from fresh_nodes;

create table linking.gone_nodes as select held_id, name, kind from gone_nodes;

create table linking.changed_ties as from changed_ties;

create table linking.linked_nodes_anew as from linked_nodes_anew;

create table linking.weighed_nodes as from weighed_nodes;

create view linking.edges as
from store.edges where from_id in (from linking.weighed_nodes) or to_id in (from linking.weighed_nodes);

drop table moved_edges;
drop table weighed_nodes;
