-- Who writes this table? Procedures, triggers and code, with the line that shows it.
-- What writes through a synonym writes the table that it stands for; an entity stands for its table.
-- through: the view or synonym that is written in place of the table. Of a view that reads several tables one is
-- written, which may be another one.
-- object: a table, such as dbo.Invoice; none, and one that the store does not have, is an error.
with recursive asked as materialized (
    select table_ids(coalesce(getvariable('object'), '(object is not set)'), null, null) as node_ids
),
meant as (
    select unnest(node_ids) as node_id from asked
    union
    select edge.from_id
    from meant
    join edges as edge on edge.to_id = meant.node_id and edge.relation in ('ReadsFrom', 'SynonymFor')
    join nodes as node on node.node_id = edge.from_id and node.kind in ('VIEW', 'SYNONYM')
)
select
    edge.from_key as writer, edge.source_file, edge.line, edge.snippet, edge.rule, edge.confidence,
    if(edge.to_id in (select unnest(node_ids) from asked), null, edge.to_key) as through
from edges as edge
where edge.relation = 'WritesTo'
    and edge.to_id in (select node_id from meant)
    and (select len(node_ids) from asked) > 0  -- asks for the object also where nothing is written at all
order by writer, edge.source_file, edge.line, edge.rule, through;
