-- Ties between nodes that are new or gone, and the nodes whose links are to be made anew: those at the ends of touched
-- ties, and the neighbours of those that have more or fewer neighbours, as these weigh less then or more.
create or replace temp table changed_ties as
with ties as (
    select distinct from_id, to_id, relation
    from store.edges
    semi join touched_ties using (from_id, to_id, relation)
)
(from ties except from held_ties) union all (from held_ties except from ties);

create or replace temp table crowded_nodes as
with neighbours as (
    select from_id, to_id from store.edges semi join touched_neighbours using (from_id, to_id)
    union
    select to_id, from_id from store.edges as edge semi join touched_neighbours using (from_id, to_id)
)
select distinct from_id as node_id
from ((from neighbours except from held_neighbours) union all (from held_neighbours except from neighbours));

create or replace temp table linked_nodes_anew as
select from_id as node_id from touched_ties
union
select to_id from touched_ties
union
select from_id from store.edges where to_id in (from crowded_nodes)
union
select to_id from store.edges where from_id in (from crowded_nodes);

create or replace temp table weighed_nodes as
from linked_nodes_anew
union
select from_id from store.edges where to_id in (from linked_nodes_anew)
union
select to_id from store.edges where from_id in (from linked_nodes_anew);
