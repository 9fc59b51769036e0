-- What maps to tables: the entity, the line that says so, and the type in which that stands; the surest first.
with mapped as materialized (
    select edge.*
    from links as link
    join steps on steps.step = link.step and steps.relation = 'MapsTo' and steps.direction = 'in'
    join edges as edge on edge.edge_no = link.edge_no
    where link.node_id in (select unnest($ids::integer[]))
)
select
    mapped.to_id as node_id, mapped.from_key as entity, mapped.source_file, mapped.line,
    arg_min(around.node_key, around.end_line - around.start_line) as mapped_in
from mapped
left join nodes as around
    on around.source_file = mapped.source_file and around.repo = mapped.repo and around.branch = mapped.branch
    and around.kind = 'TYPE' and mapped.line between around.start_line and around.end_line
group by
    mapped.to_id, mapped.from_key, mapped.source_file, mapped.line, mapped.edge_no, mapped.confidence
order by mapped.confidence desc, mapped.edge_no;
