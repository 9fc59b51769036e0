-- Nodes reached from the start nodes, closest first. Depth and limit stand here as numbers, since DuckDB leaves hops
-- beyond the depth out when it knows the depth while planning.
select node_id, distance, score, edge_no, via_id, step
from walk($ids::integer[], $steps::smallint[], $snapshots::smallint[], depth := 2, max_nodes := 120);
