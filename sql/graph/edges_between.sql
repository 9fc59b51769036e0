-- Edges of some relations between nodes, with their evidence.
with ids as materialized (
    select unnest($ids::integer[]) as node_id
),
wanted as materialized (
    select unnest($relations::varchar[]) as relation
)
select
    edge_no, from_id, to_id, from_key, to_key, relation, repo, branch, source_file, line, snippet, rule, confidence,
    detail, sites
from edges
semi join ids as from_node on from_node.node_id = edges.from_id
semi join ids as to_node on to_node.node_id = edges.to_id
semi join wanted on wanted.relation = edges.relation
order by edge_no;
