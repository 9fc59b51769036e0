-- Edges with an end that is no node of that key.
select edge.edge_no, edge.from_key, edge.to_key, edge.relation, edge.repo, edge.branch
from edges as edge
left join nodes as from_node on from_node.node_id = edge.from_id
left join nodes as to_node on to_node.node_id = edge.to_id
where from_node.node_key is distinct from edge.from_key or to_node.node_key is distinct from edge.to_key
order by edge.edge_no
