-- Which controllers, actions and other endpoints reach this table, and in how many steps?
-- object: a table or procedure, such as dbo.Invoice, or else code; none, and one that the store does not have, is an error.
with asked as materialized (
    select
        start_ids(
            coalesce(getvariable('object'), '(object is not set)'), null, null,
            first_kinds := ['TABLE', 'VIEW', 'PROC', 'FUNC', 'TRIGGER']
        ) as node_ids
)
select reached.distance, node.role, node.node_key, node.source_file, node.start_line
from impact(
    coalesce(getvariable('object'), '(object is not set)'), depth := 6, max_nodes := 50000,
    first_kinds := ['TABLE', 'VIEW', 'PROC', 'FUNC', 'TRIGGER']
) as reached
join nodes as node using (node_key, repo, branch)
anti join nodes_of_tests() as test on test.node_id = node.node_id
where node.role in ('CONTROLLER', 'ACTION')
    and (select len(node_ids) from asked) > 0  -- asks for the object also where no node has such a role
order by reached.distance, node.node_key, node.repo, node.branch;
