-- Nodes in order of their key, a slice of them.
insert into nodes by name
select node.*, numbered.node_id, definitions.definition_id
from stage.nodes as node
join numbered_nodes as numbered on numbered.row_id = node.rowid
left join definitions using (node_id)
where numbered.node_id >= getvariable('low') and numbered.node_id < getvariable('high')
order by numbered.node_id;
