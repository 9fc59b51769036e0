-- What most of the system leans on: nodes with the most distinct neighbours that point at them.
select
    edge.to_key as node_key,
    any_value(node.kind) as kind,
    count(distinct edge.from_key) as used_by,
    count(distinct edge.source_file) as files
from edges as edge
join nodes as node on node.node_key = edge.to_key and node.repo = edge.repo and node.branch = edge.branch
where edge.relation <> 'Contains' and not node.is_external
group by edge.to_key
order by used_by desc, node_key
limit 20;
