-- Links of these nodes; those that are as they were stay.
delete from linking.links where node_id not in (from linked_nodes_anew);

create or replace temp table kept_links as
select own.rowid as own_row, held.rowid as held_row, own.place, own.weight, own.edge_no
from linking.links as own
join store.links as held using (node_id, step, neighbour_id, snapshot_no);

delete from store.links
where node_id in (from linked_nodes_anew) and rowid not in (select held_row from kept_links);

update store.links
set place = kept.place, weight = kept.weight, edge_no = kept.edge_no
from kept_links as kept
where kept.held_row = links.rowid
    and (kept.place <> links.place or kept.weight <> links.weight or kept.edge_no <> links.edge_no);

insert into store.links
from linking.links
where rowid not in (select own_row from kept_links)
order by node_id, step, place;

drop table kept_links;
drop table linked_nodes;
