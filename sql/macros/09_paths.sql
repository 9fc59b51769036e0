-- Tests and what lies among them: a system does not do what they do.
create macro nodes_of_tests() as table
    select node.node_id
    from nodes as node
    left join source_documents as source
        on source.file_path = node.source_file and source.repo = node.repo and source.branch = node.branch
    where node.role = 'TEST' or source.file_class = 'test';

-- The shortest way between two nodes; of several the one whose last steps tie best. What is avoided counts as reached,
-- at no distance from which a way could lead on.
create macro shortest_path(
    start_ids, target_ids, step_list, snapshot_list, max_depth := 6, avoided_ids := null
) as table
    with recursive allowed as materialized (
        select step, snapshot_no
        from (select unnest(step_list)::smallint as step), (select unnest(snapshot_list)::smallint as snapshot_no)
    ),
    target as materialized (
        select unnest(target_ids)::integer as node_id
    ),
    reached (node_id, distance, via_id, edge_no, step) using key (node_id) as (
        (
            select distinct unnest(start_ids)::integer, 0, null::integer, null::integer, null::smallint
            union all
            select distinct unnest(avoided_ids)::integer, null, null, null, null
        )
        union
        (
            select
                link.neighbour_id, max(front.distance) + 1,
                arg_max(link.node_id, row(link.weight, -link.edge_no)),
                arg_max(link.edge_no, row(link.weight, -link.edge_no)),
                arg_max(link.step, row(link.weight, -link.edge_no))
            from reached as front
            join links as link on link.node_id = front.node_id
            semi join allowed on allowed.step = link.step and allowed.snapshot_no = link.snapshot_no
            anti join recurring.reached as known on known.node_id = link.neighbour_id
            where front.distance < max_depth
                and not exists (select 1 from recurring.reached as found semi join target using (node_id))
            group by link.neighbour_id
        )
    ),
    path as (
        (
            select node_id, distance, via_id, edge_no, step
            from reached
            semi join target using (node_id)
            order by distance, node_id
            limit 1
        )
        union all
        select earlier.node_id, earlier.distance, earlier.via_id, earlier.edge_no, earlier.step
        from path
        join reached as earlier on earlier.node_id = path.via_id
    )
    select node_id, distance, via_id, edge_no, step
    from path
    order by distance;

create macro path_between(
    from_asked, to_asked, max_depth := 6, relations := null, direction := 'both', in_repo := null, in_branch := null
) as table
    with ends as materialized (
        select
            start_ids(from_asked, in_repo, in_branch) as from_ids, start_ids(to_asked, in_repo, in_branch) as to_ids
    ),
    tests as materialized (
        select list(node_id) as node_ids from nodes_of_tests()
    ),
    path as materialized (
        select *
        from shortest_path(
            (select from_ids from ends), (select to_ids from ends),
            (
                select list(step)
                from steps_of(relations, direction)
                join steps using (step)
                where relations is not null or relation <> 'LeadsTo'
            ),
            snapshots_of(in_repo, in_branch), max_depth := max_depth,
            avoided_ids := (select node_ids from tests, ends where not list_has_any(node_ids, from_ids || to_ids))
        )
    ),
    node as materialized (
        select * from nodes semi join path using (node_id)
    )
    select
        path.distance, node.node_key, node.kind, node.role, node.name, steps.relation, steps.direction,
        via.node_key as via_key, node.source_file, node.start_line, node.end_line, node.repo, node.branch,
        node.is_external, path.edge_no
    from path
    join node on node.node_id = path.node_id
    left join node as via on via.node_id = path.via_id
    left join steps on steps.step = path.step
    order by path.distance;

comment on macro table nodes_of_tests is 'Node ids of tests and of what lies in their files.';
comment on macro table shortest_path is
    'Shortest way from some node ids to others by steps, around others: node_id, distance, and the step, node and edge that '
    'led there.';
comment on macro table path_between is
    'Shortest way from one node to another: path_between(''OrderController.Place'', ''dbo.Invoice''); no rows when there is '
    'none of at most max_depth steps; through tests only from or to one, by LeadsTo only if asked for.';
