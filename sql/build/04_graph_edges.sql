-- Edges in their final order, those from a slice of the nodes.
insert into edges by name
with ordered as (
    select
        (select count(*) from edges)
        + row_number() over (order by from_id, relation, to_id, rule, detail, file_no, line) as edge_no,
        *
    from numbered_edges
    where from_id >= getvariable('low') and from_id < getvariable('high')
)
select
    edge.* exclude (file_no), from_node.node_key as from_key, to_node.node_key as to_key,
    file.repo, file.branch, file.source_file, snippets.text as snippet
from ordered as edge
join numbered_nodes as from_node on from_node.node_id = edge.from_id
join numbered_nodes as to_node on to_node.node_id = edge.to_id
join edge_files as file using (file_no)
left join snippets using (file_no, line)
order by edge.edge_no;
