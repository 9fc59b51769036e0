-- Tables that no procedure, view, trigger or line of code reads or writes and no entity maps to.
select node.node_key, node.source_file, node.repo, node.branch
from nodes as node
where node.kind = 'TABLE' and not node.is_external
    and not exists (
        from edges as edge
        where edge.to_key = node.node_key
            and edge.relation in ('ReadsFrom', 'WritesTo', 'MapsTo')
    )
order by node.node_key, node.repo, node.branch;
