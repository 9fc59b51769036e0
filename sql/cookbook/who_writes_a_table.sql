-- Who writes this table? Procedures, triggers and code, with the line that shows it.
-- object: a table, such as dbo.Invoice; none, and one that the store does not have, is an error.
with asked as (
    select distinct unnest(start_ids(coalesce(getvariable('object'), '(object is not set)'), null, null)) as node_id
)
select edge.from_key as writer, edge.source_file, edge.line, edge.snippet, edge.rule, edge.confidence
from edges as edge
join asked on asked.node_id = edge.to_id
where edge.relation = 'WritesTo'
order by writer, edge.source_file, edge.line, edge.rule;
