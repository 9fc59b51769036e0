-- Tests and what lies among them: a system does not do what they do.
create macro nodes_of_tests() as table
    select node.node_id
    from nodes as node
    left join source_documents as source
        on source.file_path = node.source_file and source.repo = node.repo and source.branch = node.branch
    where node.role = 'TEST' or source.file_class = 'test';

-- The shortest way between two nodes; of several the one whose last steps tie best. What is avoided counts as reached,
-- at no distance from which a way could lead on.
-- Who mentions a type does not do all that its members do. So a way leads on to them only if it begins at the type, or
-- a file or what it handles led there; the same holds against the edges. How a node was entered is part of what is
-- reached: 0 freely, 1 a type as what is mentioned, 2 a type from one of its members, 3 a file.
create macro shortest_path(
    start_ids, target_ids, step_list, snapshot_list, max_depth := 6, avoided_ids := null, through_mentions := false
) as table
    with recursive allowed as materialized (
        select
            step, snapshot_no,
            case
                when relation = 'Contains' and direction = 'out' or relation = 'Handles' then 0
                when relation = 'Contains' then 2
                else if(direction = 'out', 1, 0)
            end::tinyint as entry,
            case
                when relation = 'Contains' and direction = 'out' then 1
                when direction = 'in' and relation not in ('Contains', 'Handles') then 2
            end::tinyint as barred
        from (select unnest(step_list)::smallint as step)
        join steps using (step)
        cross join (select unnest(snapshot_list)::smallint as snapshot_no)
    ),
    target as materialized (
        select unnest(target_ids)::integer as node_id
    ),
    place as materialized (
        select node_id, if(through_mentions, null, kind = 'FILE') as is_file  -- none at all: DuckDB 1.3 finds no path then
        from nodes
        where kind in ('FILE', 'MIGRATION', 'TYPE')
    ),
    start as materialized (
        select distinct unnest(start_ids)::integer as node_id
    ),
    reached (node_id, entry, distance, via_id, via_entry, edge_no, step) using key (node_id, entry) as (
        (
            select
                start.node_id, if(place.is_file, 3, 0)::tinyint, 0, null::integer, null::tinyint, null::integer,
                null::smallint
            from start
            left join place using (node_id)
            union all
            select distinct unnest(avoided_ids)::integer, 0, null, null, null, null, null
        )
        union
        (
            select
                found.node_id, found.entry, max(found.distance) + 1,
                arg_max(found.via_id, row(found.weight, -found.edge_no)),
                arg_max(found.via_entry, row(found.weight, -found.edge_no)),
                arg_max(found.edge_no, row(found.weight, -found.edge_no)),
                arg_max(found.step, row(found.weight, -found.edge_no))
            from (
                select
                    link.neighbour_id as node_id, front.node_id as via_id, front.entry as via_entry, front.distance,
                    link.weight, link.edge_no, link.step,
                    case
                        when place.is_file is null then 0
                        when place.is_file then 3
                        else if(front.entry = 3, 0, allowed.entry)
                    end::tinyint as entry
                from reached as front
                join links as link on link.node_id = front.node_id
                join allowed on allowed.step = link.step and allowed.snapshot_no = link.snapshot_no
                left join place on place.node_id = link.neighbour_id
                where front.distance < max_depth
                    and (front.entry is distinct from allowed.barred or allowed.barred = 2 and place.is_file)
            ) as found
            anti join recurring.reached as known
                on known.node_id = found.node_id and known.entry in (0, 3, found.entry)
            where not exists (select 1 from recurring.reached as known semi join target using (node_id))
            group by found.node_id, found.entry
        )
    ),
    path as (
        (
            select node_id, distance, via_id, via_entry, edge_no, step
            from reached
            semi join target using (node_id)
            order by distance, node_id, entry
            limit 1
        )
        union all
        select earlier.node_id, earlier.distance, earlier.via_id, earlier.via_entry, earlier.edge_no, earlier.step
        from path
        join reached as earlier on earlier.node_id = path.via_id and earlier.entry = path.via_entry
    )
    select node_id, distance, via_id, edge_no, step
    from path
    order by distance;

create macro path_between(
    from_asked, to_asked, max_depth := 6, relations := null, direction := 'both', in_repo := null, in_branch := null,
    through_mentions := false
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
            avoided_ids := (select node_ids from tests, ends where not list_has_any(node_ids, from_ids || to_ids)),
            through_mentions := through_mentions
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
    'led there; from what only mentions a type to its members if through_mentions.';
comment on macro table path_between is
    'Shortest way from one node to another: path_between(''OrderController.Place'', ''dbo.Invoice''); no rows when there is '
    'none of at most max_depth steps; through tests only from or to one, by LeadsTo only if asked for; from what '
    'only mentions a type to its members with through_mentions := true.';
