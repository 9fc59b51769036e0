-- Which pages, views, forms, windows, components and reports lead to this table, over how many steps, and do they write it?
-- object: a table or procedure, such as dbo.Invoice, or else code; none, and one that the store does not have, is an error.
-- repo, branch: where to stay, by default anywhere.
-- A page is a file of markup, or a Windows form or control; what its code-behind, its view model and the actions that it
-- calls do is its own. Partial views and controls lead there for the pages that hold them; layouts, links to other pages
-- and forms that are opened do not.
-- writes: whether calls lead to what writes the object, as far as that can be told, and over how many steps at least.
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
test as materialized (
    select node_id from nodes_of_tests()
),
markup as materialized (
    select node.node_id as page_id, node.repo, node.branch, node.source_file
    from nodes as node
    join source_documents as file
        on file.file_path = node.source_file and file.repo = node.repo and file.branch = node.branch
    where node.kind = 'FILE' and node.definition_id is null and file.file_class <> 'test'
        and regexp_matches(
            node.source_file,
            '\.(cshtml|vbhtml|razor|as[cp]x|master|xaml|vue|svelte|html?|[tj]sx|component\.ts|rdlc?)$', 'i'
        )
        and not regexp_matches(node.source_file, '\.(test|spec|stories)\.\w+$', 'i')
),
form as materialized (
    select distinct type.node_id as page_id, type.name
    from nodes as method
    join source_documents as file
        on file.file_path = method.source_file and file.repo = method.repo and file.branch = method.branch
    join edges as owner on owner.to_id = method.node_id and owner.relation = 'Contains'
    join nodes as type on type.node_id = owner.from_id and type.kind = 'TYPE'
    where method.name = 'InitializeComponent' and method.kind = 'METHOD'
        and regexp_matches(file.text, '\.(SuspendLayout|PerformLayout|Controls\.Add)\(')
),
of_form as materialized (
    select edge.to_id as node_id, form.page_id, form.name as form_name
    from form
    join edges as edge on edge.from_id = form.page_id and edge.relation = 'Contains'
),
walk as materialized (
    select node.node_id, via.node_id as via_id, node.repo, node.branch, node.source_file, reached.distance
    from walked(
        (select node_ids from asked), (select steps from access_steps), (select snapshot_nos from asked),
        depth := 12, max_nodes := 50000
    ) as reached
    join nodes as node using (node_key, repo, branch)
    join nodes as via on via.node_key = reached.via_key and via.repo = reached.repo and via.branch = reached.branch
),
-- what only opens a form: its constructor calls what wires its events
opening as (
    select walk.node_id
    from walk
    join of_form as via on via.node_id = walk.via_id
    join nodes as entered on entered.node_id = walk.via_id
    left join of_form as own on own.node_id = walk.node_id
    where own.page_id is distinct from via.page_id
        and (entered.name in ('InitializeComponent', via.form_name) or entered.kind = 'FIELD')
    union
    select walk.node_id
    from walk
    join opening on opening.node_id = walk.via_id
),
reached as materialized (
    select walk.* exclude (via_id), writing.write_distance
    from walk
    left join (select node_id, min(write_distance) as write_distance from writing group by node_id) as writing
        on writing.node_id = walk.node_id
    anti join test on test.node_id = walk.node_id
    anti join opening on opening.node_id = walk.node_id
    anti join markup on markup.page_id = walk.node_id  -- by its layout, perhaps
    union all
    select node_id, repo, branch, null, 0, null
    from nodes
    where node_id in (select unnest(node_ids) from asked)
),
viewed as materialized (
    select distinct to_id as node_id from edges where rule in ('view call', 'view name')
),
linked as materialized (
    select page.page_id, edge.to_id as node_id, edge.relation, edge.rule
    from edges as edge
    join markup as page on page.page_id = edge.from_id
    left join viewed on viewed.node_id = edge.to_id
    where edge.relation in ('Calls', 'Executes', 'ReadsFrom', 'WritesTo', 'Handles', 'Uses')
        and edge.rule not in ('layout', 'view folder', 'model')
        and not (  -- the way to another page
            edge.rule in ('link', 'route') and viewed.node_id is not null
            and regexp_matches(coalesce(edge.snippet, ''), '<a\s|\b(ActionLink|RouteLink)\(', 'i')
        )
),
behind as materialized (
    select page_id, node_id as type_id from linked where rule in ('code-behind', 'view model')
    union
    select page_id, page_id from form anti join test on test.node_id = form.page_id
),
ways as (
    select page.page_id, distance, write_distance
    from reached
    join markup as page using (repo, branch, source_file)
    union all
    select
        linked.page_id, distance + 1,
        if(
            linked.relation = 'WritesTo' and node_id in (select node_id from meant), 1, write_distance + 1
        ) as write_distance
    from reached
    join linked using (node_id)
    union all
    select behind.page_id, distance + 1, write_distance + 1
    from reached
    join edges as owner on owner.to_id = reached.node_id and owner.relation = 'Contains'
    join behind on behind.type_id = owner.from_id
),
direct as materialized (
    select page_id, min(distance) as distance, min(write_distance) as write_distance from ways group by page_id
),
-- which page holds which other: a partial view, a control, a component
holding as materialized (
    select linked.page_id, inner_page.page_id as inner_id
    from linked
    join nodes as held on held.node_id = linked.node_id
    join markup as inner_page
        on inner_page.repo = held.repo and inner_page.branch = held.branch
            and inner_page.source_file = held.source_file
    where linked.relation = 'Uses' and linked.rule <> 'link' and linked.page_id <> inner_page.page_id
    union
    select linked.page_id, behind.page_id
    from linked
    join behind on behind.type_id = linked.node_id
    where linked.relation = 'Uses' and linked.page_id <> behind.page_id
    union
    select outer_form.page_id, inner_form.page_id
    from of_form as outer_form
    join nodes as field on field.node_id = outer_form.node_id and field.kind = 'FIELD'
    join edges as held on held.from_id = outer_form.node_id and held.rule = 'holds'
    join form as inner_form on inner_form.page_id = held.to_id
    where outer_form.page_id <> inner_form.page_id
),
leads as (
    from direct
    union
    select holding.page_id, leads.distance + 1, leads.write_distance + 1
    from leads
    join holding on holding.inner_id = leads.page_id
    where leads.distance < 16
)
select
    min(leads.distance) as distance, page.node_key, page.source_file, page.start_line,
    min(leads.write_distance) is not null as writes, min(leads.write_distance) as write_distance
from leads
join nodes as page on page.node_id = leads.page_id
where (select len(node_ids) from asked) > 0  -- asks for the object also where there is no page
group by page.node_id, page.node_key, page.source_file, page.start_line, page.repo, page.branch
order by distance, page.node_key, page.repo, page.branch;
