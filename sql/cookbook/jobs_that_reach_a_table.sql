-- Which jobs, Windows services, timed functions, packages and programs lead to this table, over how many steps, and do they write it?
-- object: a table or procedure, such as dbo.Invoice, or else code; none, and one that the store does not have, is an error.
-- repo, branch: where to stay, by default anywhere.
-- A job is a method by which something begins that no request asks for, a package of Integration Services, or the script
-- or procedure that makes a job of SQL Server Agent; of those only what steps of jobs do counts, on the line of the step.
-- A program is one for the command line, which the scheduler of Windows may start.
-- writes: whether calls lead to what writes the object, as far as that can be told, and over how many steps at least: of
-- a repository that inherits the procedures that it runs, by any of its methods.
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
    where relation not in ('ForeignKey', 'MapsTo', 'Injects', 'Inherits')
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
    join nodes as node on node.node_id = edge.from_id
    where edge.relation = 'WritesTo' and edge.to_id in (select node_id from meant)
        and node.kind <> 'TYPE'  -- what a base class does for it: who uses the class may do something else
),
writing as materialized (
    select node_id, 1 as write_distance from writer
    union all
    select node.node_id, reached.distance + 1
    from walked(
        (select coalesce(list(node_id), []) from writer), (select steps from access_steps),
        (select snapshot_nos from asked), depth := 12, max_nodes := 50000
    ) as reached
    join nodes as node using (node_key, repo, branch)
),
reached as materialized (
    select node.node_id, reached.distance, writing.write_distance
    from walked(
        (select node_ids from asked), (select steps from access_steps), (select snapshot_nos from asked),
        depth := 12, max_nodes := 50000
    ) as reached
    join nodes as node using (node_key, repo, branch)
    left join (select node_id, min(write_distance) as write_distance from writing group by node_id) as writing
        on writing.node_id = node.node_id
    union all
    select unnest(node_ids), 0, null from asked
),
job as materialized (
    select node_id from nodes where role in ('JOB', 'PROGRAM') and kind <> 'TYPE'
),
ways as (
    select job.node_id, reached.distance, reached.write_distance, null::integer as line
    from reached
    join job using (node_id)
    union all
    select
        step.from_id, reached.distance + 1,
        if(
            step.relation = 'WritesTo' and reached.node_id in (select node_id from meant), 1, reached.write_distance + 1
        ),
        step.line
    from reached
    join edges as step on step.to_id = reached.node_id
    where step.rule in ('job step', 'sql in data')
)
select
    min(ways.distance) as distance,
    case
        when ways.line is not null then 'agent step'
        when node.role = 'PROGRAM' then 'program'
        when node.kind = 'FILE' then 'package'
        else 'job'
    end as what,
    node.node_key, node.source_file,
    coalesce(ways.line, node.start_line) as start_line,
    min(ways.write_distance) is not null as writes, min(ways.write_distance) as write_distance
from ways
join nodes as node using (node_id)
anti join nodes_of_tests() as test on test.node_id = node.node_id
where (select len(node_ids) from asked) > 0  -- asks for the object also where there is no job
group by node.node_id, node.role, node.kind, node.node_key, node.source_file, node.start_line, ways.line, node.repo, node.branch
order by distance, node.node_key, coalesce(ways.line, node.start_line), node.repo, node.branch;
