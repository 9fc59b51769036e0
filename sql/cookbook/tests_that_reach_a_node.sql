-- Which tests exercise this table, procedure, type or method, and over how many steps?
-- object: any node, such as dbo.Invoice; none, and one that the store does not have, is an error.
select reached.distance, node.node_key, node.source_file, node.start_line
from impact(coalesce(getvariable('object'), '(object is not set)'), depth := 8, max_nodes := 5000) as reached
join nodes as node using (node_key, repo, branch)
where node.role = 'TEST'
order by reached.distance, node.node_key, node.repo, node.branch;
