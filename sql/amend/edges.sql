-- Edges of the files in which they are not as before: those that are new or told otherwise, and those that are gone.
create or replace temp table own_edges as
select
    edge.* exclude (file_no), from_node.node_key as from_key, to_node.node_key as to_key,
    file.repo, file.branch, file.source_file, snippets.text as snippet
from numbered_edges as edge
join numbered_nodes as from_node on from_node.node_id = edge.from_id
join numbered_nodes as to_node on to_node.node_id = edge.to_id
join edge_files as file using (file_no)
left join snippets using (file_no, line);

create or replace temp table held_edges as
select rowid as held_row, *
from store.edges
where repo = getvariable('repo') and branch = getvariable('branch')
    and source_file in (select source_file from touched_files);

create or replace temp table kept_edges as
select own.rowid as own_row, held.held_row
from own_edges as own
join held_edges as held using (from_id, to_id, relation, rule, detail, source_file, line, confidence, sites)
where held.snippet is not distinct from own.snippet;

delete from kept_edges  -- which stand there twice
where own_row in (select own_row from kept_edges group by own_row having count(*) > 1)
    or held_row in (select held_row from kept_edges group by held_row having count(*) > 1);

create or replace temp table fresh_edges as
from own_edges where rowid not in (select own_row from kept_edges);

create or replace temp table gone_edges as
from held_edges where held_row not in (select held_row from kept_edges);

drop table own_edges;
drop table held_edges;
drop table kept_edges;

-- What nodes these tie, and which of these ties there were.
create or replace temp table touched_ties as
select from_id, to_id, relation from gone_edges
union
select from_id, to_id, relation from fresh_edges;

create or replace temp table held_ties as
select distinct from_id, to_id, relation
from store.edges
semi join touched_ties using (from_id, to_id, relation);

create or replace temp table touched_neighbours as
select from_id, to_id from touched_ties where from_id <> to_id
union
select to_id, from_id from touched_ties where from_id <> to_id;

create or replace temp table held_neighbours as
select from_id, to_id from store.edges semi join touched_neighbours using (from_id, to_id)
union
select to_id, from_id from store.edges as edge semi join touched_neighbours using (from_id, to_id);
