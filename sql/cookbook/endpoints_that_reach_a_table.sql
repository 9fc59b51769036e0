-- Which controllers, actions and other endpoints reach this table, in how many steps, by what, and do they write it?
-- object: a table or procedure, such as dbo.Invoice, or else code; none, and one that the store does not have, is an error.
-- repo, branch: where to stay, by default anywhere.
-- by: access where statements read, write or execute something on the way, and come first; mention where all that is
-- known is that an endpoint leads to code that names the class of the table, or to a table that refers to it.
-- writes: whether it leads to what writes the object, as far as that can be told: of a repository that inherits what it
-- does, by any of its methods.
with recursive asked as materialized (
    select
        member_ids(
            coalesce(getvariable('object'), '(object is not set)'), getvariable('repo'), getvariable('branch'),
            first_kinds := ['TABLE', 'VIEW', 'PROC', 'FUNC', 'TRIGGER']
        ) as node_ids,
        snapshots_of(getvariable('repo'), getvariable('branch')) as snapshot_nos
),
access_steps as materialized (
    select list(step) as steps
    from steps_of(null, 'impact')
    join steps using (step)
    where relation not in ('ForeignKey', 'MapsTo')
),
meant as materialized (
    select unnest(node_ids) as node_id from asked
    union
    select edge.from_id
    from meant
    join edges as edge on edge.to_id = meant.node_id and edge.relation in ('ReadsFrom', 'SynonymFor')
    join nodes as node on node.node_id = edge.from_id and node.kind in ('VIEW', 'SYNONYM')
),
writer as materialized (
    select distinct edge.from_id as node_id
    from edges as edge
    where edge.relation = 'WritesTo' and edge.to_id in (select node_id from meant)
),
writing as materialized (
    select node_id from writer
    union
    select node.node_id
    from walked(
        (select coalesce(list(node_id), []) from writer), (select steps from access_steps), (select snapshot_nos from asked),
        depth := 12, max_nodes := 50000
    ) as reached
    join nodes as node using (node_key, repo, branch)
),
reached as (
    select 'access' as "by", *
    from walked(
        (select node_ids from asked), (select steps from access_steps), (select snapshot_nos from asked),
        depth := 12, max_nodes := 50000
    )
    union all by name
    select 'mention' as "by", *
    from walked(
        (select node_ids from asked), (select list(step) from steps_of(null, 'impact')), (select snapshot_nos from asked),
        depth := 12, max_nodes := 50000, last_steps := (select list(step) from steps where relation = 'ForeignKey')
    )
)
select
    arg_min(reached.distance, reached."by") as distance, node.role, node.node_key, node.source_file, node.start_line,
    min(reached."by") as "by", node.node_id in (select node_id from writing) as writes
from reached
join nodes as node using (node_key, repo, branch)
anti join nodes_of_tests() as test on test.node_id = node.node_id
where node.role in ('CONTROLLER', 'ACTION')
    and (select len(node_ids) from asked) > 0  -- asks for the object also where no node has such a role
group by node.node_id, node.role, node.node_key, node.source_file, node.start_line, node.repo, node.branch
order by "by", distance, node.node_key, node.repo, node.branch;
