-- What nodes are named by: of this branch alone where no repository defines anything for another. There, names are looked at
-- of which a node is new, gone or a member of another type than before, and those of members that a type has or had from
-- ancestors, where it or one above it has others; types, migrations among them, have no others than their own. What derived
-- from a type that is gone has other ancestors itself; that type had names of members, too, and a number below zero since.
create or replace temp table ancestors_anew as
select from_id
from changed_ties
where relation in ('Inherits', 'Implements') and from_id in (
    select node_id from store.nodes where kind in ('TYPE', 'MIGRATION')
    union all
    select -held_id from gone_nodes where kind in ('TYPE', 'MIGRATION')
);

create or replace temp table types_anew as
with recursive bases as (
    select from_id, to_id from store.edges where relation in ('Inherits', 'Implements')
),
below as (
    select from_id as node_id from ancestors_anew
    union
    select bases.from_id from below join bases on bases.to_id = below.node_id
),
above as (
    (  -- what was above a type that is gone was above those below it
        select node_id from below union select to_id from changed_ties where relation in ('Inherits', 'Implements')
    )
    union
    select bases.to_id from above join bases on bases.from_id = above.node_id
)
from above
where exists (from ancestors_anew);

create or replace temp table names_anew as
select name from fresh_nodes where is_named_anew
union
select held_name from fresh_nodes where is_named_anew and held_id is not null
union
select name from gone_nodes
union
select node.name
from changed_ties as tie
join store.nodes as node on node.node_id = tie.to_id
where tie.relation = 'Contains'
union
select node.name
from store.edges as owner
join store.nodes as node on node.node_id = owner.to_id
where owner.relation = 'Contains' and owner.from_id in (from types_anew);

create view linking.nodes as
select node.*
from store.nodes as node
where exists (from definitions)
    or repo = getvariable('repo') and branch = getvariable('branch')
        and (kind in ('TYPE', 'MIGRATION') or name in (from names_anew));

create or replace view linking.edges as
from store.edges
where relation in ('Contains', 'Inherits', 'Implements')
    and (repo = getvariable('repo') and branch = getvariable('branch') or exists (from definitions));
