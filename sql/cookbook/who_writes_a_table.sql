-- Who writes this table? Procedures, triggers and code, with the line that shows it.
-- What writes through a synonym writes the table that it stands for; an entity stands for its table.
-- object: a table, such as dbo.Invoice; none, and one that the store does not have, is an error.
with asked as materialized (
    select table_ids(coalesce(getvariable('object'), '(object is not set)'), null, null) as node_ids
),
meant as (
    select unnest(node_ids) as node_id from asked
    union
    select from_id
    from edges
    where relation = 'SynonymFor' and to_id in (select unnest(node_ids) from asked)
)
select edge.from_key as writer, edge.source_file, edge.line, edge.snippet, edge.rule, edge.confidence
from edges as edge
where edge.relation = 'WritesTo'
    and edge.to_id in (select node_id from meant)
    and (select len(node_ids) from asked) > 0  -- asks for the object also where nothing is written at all
order by writer, edge.source_file, edge.line, edge.rule;
