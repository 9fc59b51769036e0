-- Methods of the code that nothing in the store calls, names or implements; entry points are left out.
select node.node_key, node.source_file, node.start_line
from nodes as node
where node.kind = 'METHOD' and not node.is_external
    and coalesce(node.role, '') not in ('ACTION', 'TEST', 'MIGRATION')
    and not exists (
        from edges as edge
        where edge.to_key = node.node_key and edge.relation in ('Calls', 'Uses', 'Handles')
    )
    and not exists (
        from edges as edge
        where edge.from_key = node.node_key and edge.relation = 'Implements'
    )
order by node.node_key, node.source_file;
