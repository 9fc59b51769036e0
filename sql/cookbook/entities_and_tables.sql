-- How entities map to tables, by which rule, and whether the table is defined in the store.
select
    edge.from_key as entity, edge.to_key as table_key, edge.rule, edge.confidence,
    not coalesce(node.is_external, true) as is_defined, edge.source_file, edge.line
from edges as edge
left join nodes as node on node.node_key = edge.to_key and node.repo = edge.repo and node.branch = edge.branch
where edge.relation = 'MapsTo' and edge.from_key like '%|TYPE'
order by entity, table_key, edge.rule, edge.source_file;
