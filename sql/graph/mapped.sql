-- What maps to tables, and the line that says so; the surest first.
select edge.to_id as node_id, edge.from_key as entity, edge.source_file, edge.line, edge.repo, edge.branch
from edges as edge
where edge.edge_no in (
    select link.edge_no
    from links as link
    join steps on steps.step = link.step and steps.relation = 'MapsTo' and steps.direction = 'in'
    where link.node_id in (select unnest($ids::integer[]))
)
order by edge.confidence desc, edge.edge_no;
