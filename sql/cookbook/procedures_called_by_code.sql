-- Procedures with the code that executes them, whatever its language; interpolated names are resolved.
select edge.to_key as procedure_key, edge.from_key as caller, edge.rule, edge.source_file, edge.line, edge.snippet
from edges as edge
join nodes as node on node.node_id = edge.from_id and (node.data_type = 'regular_code' or node.kind = 'MIGRATION')
where edge.relation = 'Executes'
order by procedure_key, caller, edge.rule, edge.source_file, edge.line;
