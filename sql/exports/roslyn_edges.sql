-- Edges of one repository and branch between nodes as roslyn_nodes names them; rows that say the same are one.
with
named as (
    -- part: exports/roslyn_nodes.sql
)

select distinct
    coalesce(origin.roslyn_key, edge.from_key) as from_key,
    coalesce(target.roslyn_key, edge.to_key) as to_key,
    edge.relation,
    coalesce(target.kind, '') as to_kind,
    edge.source_file as file
from edges as edge
left join named as origin on origin.node_key = edge.from_key
left join named as target on target.node_key = edge.to_key
where edge.repo = getvariable('exported_repo') and edge.branch = getvariable('exported_branch')
order by from_key, to_key, edge.relation, file
