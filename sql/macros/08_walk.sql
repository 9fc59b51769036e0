-- Walks through the graph, breadth first: closest nodes first, then those tied best to what was reached before.
create macro steps_of(relation_names, direction_name) as table
    with asked as (
        select unnest(relation_names) as name
    ),
    chosen as (
        select
            case when alias.relation is null then error('no relation is called ' || asked.name) else alias.relation end
            as relation
        from asked
        left join relation_aliases as alias on alias.alias = relation_alias(asked.name)
    )
    select step
    from steps
    where (direction_name = 'both' or direction = direction_name or direction_name = 'impact' and is_impact)
        and (relation_names is null or relation in (select relation from chosen));

-- The same node in several branches is several starts. An unknown or ambiguous name is an error, not an empty answer.
-- Where keys differ in capitals alone, as Go has Run and run, or a name has capitals, those that are written as asked
-- count. If something of `first_kinds` is called so, nothing else is meant; candidates are told with what the store
-- only refers to.
create macro start_ids(asked, in_repo, in_branch, first_kinds := null) as (
    with fitting as materialized (
        select
            node_id, node_key, {'place': place, 'node_key': node_key} as candidate,
            rank < 10 and coalesce(list_contains(first_kinds, kind), false) as is_first,
            rank = min(rank) over (partition by is_first) as is_best,
            regexp_matches(node_key, '(^|\W)' || regexp_escape(asked) || '($|\W)') as is_spelt_so
        from node_matches(asked)
        where rank < 100 and repo = coalesce(in_repo, repo) and branch = coalesce(in_branch, branch)
        qualify is_first = max(is_first) over () and floor(rank) = min(floor(rank)) over (partition by is_first)
    ),
    found as (
        select
            list(node_id) filter (is_best) as node_ids, list(node_id) filter (is_best and is_spelt_so) as spelt_so,
            count(distinct lower(node_key)) filter (is_best) as names,
            count(distinct node_key) filter (is_best) as spellings,
            count(distinct node_key) filter (is_best and is_spelt_so) as spellings_so,
            list_transform(list_sort(list_distinct(list(candidate))), lambda each: each.node_key) as candidates
        from fitting
    )
    select
        case
            when asked is null then []
            when node_ids is null
                then error('no node is called ' || asked || '; look for one: select node_key from nodes')
            when names > 1 and asked = lower(asked) or spellings > 1 and spellings_so <> 1
                then error(asked || ' may be ' || array_to_string(candidates, ', '))
            else coalesce(spelt_so, node_ids)
        end
    from found
);

-- Tables before classes that are called so; a class stands for the tables that it maps to, a set for those of its entity,
-- a synonym for what it means. What is asked of tables has no answer for anything else: that is an error, too.
create macro table_ids(asked, in_repo, in_branch) as (
    with fitting as materialized (
        select node_id, node_key, rank < 10 and kind in ('TABLE', 'VIEW') as is_table
        from node_matches(asked)
        where rank < 100 and repo = coalesce(in_repo, repo) and branch = coalesce(in_branch, branch)
        qualify is_table = max(is_table) over ()
            and case when is_table then rank else floor(rank) end
                = min(case when is_table then rank else floor(rank) end) over (partition by is_table)
    ),
    mapping as materialized (
        select edge.from_id, edge.to_id from edges as edge where edge.relation in ('MapsTo', 'SynonymFor')
    ),
    meant as (
        select node_key as named_by, node_id from fitting
        union
        select fitting.node_key, mapping.to_id from fitting join mapping on mapping.from_id = fitting.node_id
        union
        select fitting.node_key, further.to_id
        from fitting
        join mapping on mapping.from_id = fitting.node_id
        join mapping as further on further.from_id = mapping.to_id
    ),
    found as (
        select
            list(node.node_id) as node_ids, list_sort(list_distinct(list(node.node_key))) as node_keys,
            count(distinct meant.named_by) as names
        from meant
        join nodes as node on node.node_id = meant.node_id
        where node.kind in ('TABLE', 'VIEW')
    )
    select
        case
            when asked is null then []
            when (select count(*) from fitting) = 0
                then error('no node is called ' || asked || '; look for one: select node_key from nodes')
            when node_ids is null then error(asked || ' is no table or view, and maps to none')
            when len(node_keys) > 1 and names > 1 then error(asked || ' may be ' || array_to_string(node_keys, ', '))
            else node_ids
        end
    from found
);

-- A type or file stands for all it contains.
create macro member_ids(asked, in_repo, in_branch, first_kinds := null) as (
    with containing as materialized (
        select step from steps where relation = 'Contains' and direction = 'out'
    ),
    itself as materialized (
        select unnest(start_ids(asked, in_repo, in_branch, first_kinds := first_kinds)) as node_id
    ),
    inside as materialized (
        select link.neighbour_id as node_id
        from links as link
        semi join itself on itself.node_id = link.node_id
        semi join containing on containing.step = link.step
    ),
    further_inside as materialized (
        select link.neighbour_id as node_id
        from links as link
        semi join inside on inside.node_id = link.node_id
        semi join containing on containing.step = link.step
    ),
    members as (
        select node_id from itself
        union
        select node_id from inside
        union
        select node_id from further_inside
    )
    select list(node_id) from members
);

-- The first two hops stand by themselves: in a recursive query DuckDB does not prune what it reads. Hops may lead back
-- to nodes reached before, which then do not count again: enough new ones are among the best max_nodes of each.
-- A walk does not go on from nodes to which it came by nothing but last_steps: not from the type that contains a member,
-- whose other members and users are none of the member's.
create macro walk(start_ids, step_list, snapshot_list, depth := 2, max_nodes := 120, last_steps := []) as table
    with recursive allowed as materialized (
        select step, snapshot_no
        from (select unnest(step_list)::smallint as step), (select unnest(snapshot_list)::smallint as snapshot_no)
    ),
    start as materialized (
        select distinct unnest(start_ids)::integer as node_id
    ),
    first as materialized (
        select
            link.neighbour_id as node_id, sum(link.weight) as score,
            max(row(link.weight, -link.edge_no, link.node_id, link.step)) as best,
            bool_and(list_contains(last_steps, link.step)) as is_last
        from links as link
        semi join start on start.node_id = link.node_id
        semi join allowed on allowed.step = link.step and allowed.snapshot_no = link.snapshot_no
        anti join start as known on known.node_id = link.neighbour_id
        where depth >= 1 and link.place <= max_nodes
        group by link.neighbour_id
        order by score desc, node_id
        limit max_nodes
    ),
    expanded as materialized (
        select node_id
        from first
        where (select count(*) from first) < max_nodes and not is_last
    ),
    second as materialized (
        select
            link.neighbour_id as node_id, sum(link.weight) as score,
            max(row(link.weight, -link.edge_no, link.node_id, link.step)) as best,
            bool_and(list_contains(last_steps, link.step)) as is_last
        from links as link
        semi join expanded on expanded.node_id = link.node_id
        semi join allowed on allowed.step = link.step and allowed.snapshot_no = link.snapshot_no
        anti join start as known on known.node_id = link.neighbour_id
        where depth >= 2 and link.place <= max_nodes
        group by link.neighbour_id
        order by score desc, node_id
        limit max_nodes
    ),
    further as (
        select 2 as distance, node_id, score, best, is_last from second
        union all
        (
            select
                max(front.distance) + 1 as distance, link.neighbour_id as node_id, sum(link.weight) as score,
                max(row(link.weight, -link.edge_no, link.node_id, link.step)) as best,
                bool_and(list_contains(last_steps, link.step)) as is_last
            from links as link
            join further as front on front.node_id = link.node_id
            semi join allowed on allowed.step = link.step and allowed.snapshot_no = link.snapshot_no
            anti join start as known on known.node_id = link.neighbour_id
            where depth > 2 and front.distance < depth and link.place <= max_nodes
                and (select count(*) from further) < max_nodes and not front.is_last
            group by link.neighbour_id
            order by score desc, node_id
            limit max_nodes
        )
    ),
    reached as (
        select 1 as distance, node_id, score, best from first
        union all
        select distance, node_id, score, best from further
    ),
    closest as (
        select node_id, min(distance) as distance, arg_min(struct_pack(score, best), distance) as found
        from reached
        group by node_id
    )
    select
        node_id, distance, found.score::bigint as score,
        -found.best[2] as edge_no, found.best[3] as via_id, found.best[4] as step
    from closest
    order by distance, score desc, node_id
    limit max_nodes;

-- Nodes are read once, before anything is joined to them: several joins of stored texts in a row make DuckDB 2.0.0
-- fail with "global dictionary column changed identity".
create macro walked(start_ids, step_list, snapshot_list, depth := 2, max_nodes := 120, last_steps := []) as table
    with reached as materialized (
        select *
        from walk(
            start_ids, step_list, snapshot_list, depth := depth, max_nodes := max_nodes, last_steps := last_steps
        )
    ),
    shown as materialized (
        select unnest([node_id, via_id]) as node_id from reached
    ),
    node as materialized (
        select
            node_id, node_key, kind, role, name, source_file, start_line, end_line, repo, branch, is_external
        from nodes
        semi join shown using (node_id)
    )
    select
        reached.distance, node.node_key, node.kind, node.role, node.name, steps.relation, steps.direction,
        via.node_key as via_key, node.source_file, node.start_line, node.end_line, node.repo, node.branch,
        node.is_external, reached.score, reached.edge_no
    from reached
    join node on node.node_id = reached.node_id
    join node as via on via.node_id = reached.via_id
    join steps on steps.step = reached.step
    order by reached.distance, reached.score desc, reached.node_id;

create macro snapshots_of(in_repo, in_branch) as (
    select list(snapshot_no) from snapshots
    where repo = coalesce(in_repo, repo) and branch = coalesce(in_branch, branch)
);

create macro neighbours(
    asked, depth := 2, max_nodes := 120, relations := null, direction := 'both', in_repo := null, in_branch := null
) as table
    from walked(
        start_ids(asked, in_repo, in_branch), (select list(step) from steps_of(relations, direction)),
        snapshots_of(in_repo, in_branch), depth := depth, max_nodes := max_nodes,
        last_steps := (
            select coalesce(list(followed.step), [])
            from steps as followed
            where relations is null and followed.relation = 'Contains' and followed.direction = 'in'
        )
    );

create macro callers(asked, depth := 3, max_nodes := 120, in_repo := null, in_branch := null) as table
    from walked(
        member_ids(asked, in_repo, in_branch), (select list(step) from steps_of(['Calls', 'Executes'], 'in')),
        snapshots_of(in_repo, in_branch), depth := depth, max_nodes := max_nodes
    );

create macro callees(asked, depth := 3, max_nodes := 120, in_repo := null, in_branch := null) as table
    from walked(
        member_ids(asked, in_repo, in_branch), (select list(step) from steps_of(['Calls', 'Executes'], 'out')),
        snapshots_of(in_repo, in_branch), depth := depth, max_nodes := max_nodes
    );

create macro impact(
    asked, depth := 3, max_nodes := 120, in_repo := null, in_branch := null, first_kinds := null
) as table
    from walked(
        member_ids(asked, in_repo, in_branch, first_kinds := first_kinds), (select list(step) from steps_of(null, 'impact')),
        snapshots_of(in_repo, in_branch), depth := depth, max_nodes := max_nodes,
        last_steps := (select list(step) from steps where relation = 'ForeignKey')
    );

comment on macro table steps_of is
    'Steps by names of relations, aliases too (null for all), and direction: out, in, both or impact.';
comment on macro start_ids is
    'Node ids that a name means; an error when it means none or several nodes. Nodes of first_kinds are meant rather than '
    'others: first_kinds := [''TABLE'', ''VIEW'']';
comment on macro table_ids is
    'Node ids of the tables and views that a name means, of an entity its tables; an error when it means none.';
comment on macro member_ids is 'Node ids that a name means, with all that a type or file contains.';
comment on macro snapshots_of is 'Numbers of the snapshots of a repository and branch; null for any.';
comment on macro table walk is
    'Nodes reached from node ids by steps, closest first: node_id, distance, score, and the step, node and edge that led there.';
comment on macro table walked is 'As walk, with what is known of each node.';
comment on macro table neighbours is
    'Nodes around a node, closest and best tied first: neighbours(''dbo.Invoice'', depth := 2, relations := [''FK'']); '
    'edge_no leads to the evidence in edges.';
comment on macro table callers is 'What calls or executes a node, and what calls that: callers(''dbo.Invoice_Create'', depth := 3).';
comment on macro table callees is 'What a node calls or executes, and what that calls: callees(''OrderService.Place'').';
comment on macro table impact is
    'What may break when a node changes: impact(''dbo.Invoice'', depth := 3), tables that refer to it among that, but not '
    'who uses these; what is called so and of first_kinds is meant rather than others.';
