-- Tables that no procedure, view, trigger or line of code reads or writes and no entity maps to.
-- The history of a temporal table is written by the engine, and is left out.
-- Where code alone makes the database, entities make the tables: those are here that are neither read nor written.
with touched as (
    select to_id from edges where relation in ('ReadsFrom', 'WritesTo')
)
select node.node_key, node.source_file, node.repo, node.branch
from nodes as node
where node.kind = 'TABLE'
    and node.is_external = (node.node_id in (select to_id from edges where relation = 'MapsTo'))
    and node.node_id not in (select to_id from touched)
    and node.node_id not in (select to_id from edges where relation = 'Uses' and rule = 'history table')
    and node.node_id not in (
        select synonym.to_id from edges as synonym where relation = 'SynonymFor' and from_id in (select to_id from touched)
    )
order by node.node_key, node.repo, node.branch;
