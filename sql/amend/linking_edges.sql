-- Edges of the nodes whose links are made anew.
create or replace view linking.edges as
from store.edges where from_id in (from linked_nodes_anew) or to_id in (from linked_nodes_anew);
