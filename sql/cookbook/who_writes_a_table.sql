-- Who writes this table? Procedures, triggers and code, with the line that shows it.
-- object: a table, by default dbo.Invoice.
with asked as (
    select node_key from node_of(coalesce(getvariable('object'), 'dbo.Invoice'))
)
select edge.from_key as writer, edge.source_file, edge.line, edge.snippet, edge.rule, edge.confidence
from edges as edge
join asked on asked.node_key = edge.to_key
where edge.relation = 'WritesTo'
order by writer, edge.source_file, edge.line, edge.rule;
