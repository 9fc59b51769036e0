-- Procedures with the code that executes them; interpolated names are resolved.
select edge.to_key as procedure_key, edge.from_key as caller, edge.rule, edge.source_file, edge.line, edge.snippet
from edges as edge
where edge.relation = 'Executes' and edge.from_key like 'csharp:%'
order by procedure_key, caller, edge.rule, edge.source_file, edge.line;
