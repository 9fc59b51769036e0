-- Edges that files of one repository and branch show, between its own nodes: where an end is defined in another
-- repository, the store names the definition, a bundle the node that stands for it here.
with own as (
    select node_key, coalesce(definition_id, node_id) as end_id
    from nodes
    where repo = $repo and branch = $branch
),

ends as (
    select end_id, min(node_key) as node_key from own group by end_id
)

select
    coalesce(origin.node_key, edge.from_key) as from_key, coalesce(target.node_key, edge.to_key) as to_key,
    edge.relation, edge.source_file, edge.rule, edge.detail, edge.line
from edges as edge
left join ends as origin on origin.end_id = edge.from_id
left join ends as target on target.end_id = edge.to_id
where edge.repo = $repo and edge.branch = $branch
order by 1, 2, edge.relation, edge.rule, edge.detail, edge.source_file, edge.line
