-- Which controllers and actions reach this table, and in how many steps?
-- object: a table or procedure, by default dbo.Invoice.
select reached.distance, node.role, node.node_key, node.source_file, node.start_line
from impact(coalesce(getvariable('object'), 'dbo.Invoice'), depth := 6, max_nodes := 2000) as reached
join nodes as node using (node_key, repo, branch)
where node.role in ('CONTROLLER', 'ACTION')
order by reached.distance, node.node_key, node.repo, node.branch;
