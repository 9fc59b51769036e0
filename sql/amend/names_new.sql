-- Names of nodes; those that are as they were stay.
create or replace temp table kept_names as
select own.rowid as own_row, held.rowid as held_row
from linking.node_names as own
join store.node_names as held using (name_key, node_id, rank);

delete from store.node_names
where node_id in (select node_id from linking.nodes) and rowid not in (select held_row from kept_names) or node_id < 0;

insert into store.node_names
from linking.node_names
where rowid not in (select own_row from kept_names)
order by name_key, node_id;

drop table kept_names;
