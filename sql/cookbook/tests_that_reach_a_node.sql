-- Which tests exercise this table, procedure, type or method, and over how many steps?
-- object: any node, such as dbo.Invoice; none, and one that the store does not have, is an error.
-- repo, branch: where to stay, by default anywhere.
with asked as materialized (
    select
        start_ids(
            coalesce(getvariable('object'), '(object is not set)'), getvariable('repo'), getvariable('branch')
        ) as node_ids
)
select reached.distance, node.node_key, node.source_file, node.start_line
from impact(
    coalesce(getvariable('object'), '(object is not set)'), depth := 12, max_nodes := 50000,
    in_repo := getvariable('repo'), in_branch := getvariable('branch')
) as reached
join nodes as node using (node_key, repo, branch)
where node.role = 'TEST'
    and (select len(node_ids) from asked) > 0  -- asks for the object also where no node has such a role
order by reached.distance, node.node_key, node.repo, node.branch;
