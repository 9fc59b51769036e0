-- Procedures that neither code nor SQL calls, as far as the indexed sources tell.
select node.name, node.node_key, node.source_file, node.start_line, node.repo, node.branch
from uncalled_procedures
join nodes as node using (node_key, repo, branch)
order by node.node_key, node.repo, node.branch;
