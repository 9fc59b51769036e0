-- Snapshots, then nodes and edges in their final order, links to walk them and names by which nodes are found.
insert into relations
with known (relation, weight, description) as (
    values
        ('Calls', 1.0, 'method to method, procedure to function'),
        ('Executes', 1.0, 'method or procedure to procedure'),
        ('WritesTo', 1.0, 'method, procedure or trigger to table'),
        ('Handles', 0.9, 'page or view to controller, action or model'),
        ('MapsTo', 0.9, 'DbSet to entity, entity to table or view'),
        ('ReadsFrom', 0.9, 'method, procedure or view to table or view'),
        ('ForeignKey', 0.8, 'child table to parent table'),
        ('Implements', 0.8, 'type to interface, method to its declaration'),
        ('Inherits', 0.8, 'type to base type'),
        ('Injects', 0.8, 'type to type of a constructor parameter'),
        ('SynonymFor', 0.8, 'synonym to object'),
        ('On', 0.7, 'trigger or index to table'),
        ('SchemaChange', 0.5, 'migration or script to table'),
        ('Uses', 0.5, 'member to type, property or field; foreign key to table'),
        ('Contains', 0.4, 'file to type, type to member')
),
counts as (
    select relation, count(*) as edges from stage.edges group by relation
)
select relation, coalesce(known.weight, 0.5), coalesce(counts.edges, 0), coalesce(known.description, '')
from known
full join counts using (relation)
order by known.relation is null, known.weight desc, relation;

-- A change spreads to what refers to the changed node; what contains it or changed its schema does not break.
insert into steps
with numbered as (
    select relation, 2 * row_number() over () as relation_no from relations
)
select relation_no, relation, 'out', false from numbered
union all
select relation_no + 1, relation, 'in', relation not in ('Contains', 'SchemaChange') from numbered
order by all;

insert into relation_aliases
with spellings (relation, aliases) as (
    values
        ('Calls', ['call', 'csdep', 'invokes', 'invocation']),
        ('Executes', ['exec', 'execute']),
        ('WritesTo', ['writes', 'write']),
        ('Handles', ['handle']),
        ('MapsTo', ['maps', 'orm']),
        ('ReadsFrom', ['reads', 'read']),
        ('ForeignKey', ['fk', 'references']),
        ('Implements', ['implement', 'implementation']),
        ('Inherits', ['inherit', 'inheritance', 'extends']),
        ('Injects', ['inject', 'injection']),
        ('SynonymFor', ['synonym']),
        ('SchemaChange', ['datachange', 'migration', 'migrates']),
        ('Uses', ['use']),
        ('Contains', ['contain', 'has'])
),
by_code (relation) as (
    values ('Executes'), ('MapsTo'), ('ReadsFrom'), ('WritesTo')
)
select unnest(aliases), relation from spellings
union all
select relation_alias(relation), relation from relations
union all
select 'referencedbyc', relation from by_code
order by all;

create or replace temp table numbered_nodes as
with first_of_key as (
    select distinct on (repo, branch, node_key) *
    from stage.nodes
    order by repo, branch, node_key, is_external, source_file, start_line
)
select
    *,
    row_number() over (order by repo, branch, node_key)::integer as node_id,
    lower(regexp_replace(node_key, '\|[^|]*$', '')) as stem
from first_of_key;

-- What one repository names and another defines is one node: that of the same branch, else of the last prepare.
create or replace temp table definitions as
with alternatives (written_kind, defined_kind) as (
    values
        ('TABLE', 'VIEW'), ('TABLE', 'SYNONYM'), ('TABLE', 'FUNC'), ('VIEW', 'TABLE'), ('VIEW', 'SYNONYM'),
        ('PROC', 'FUNC'), ('PROC', 'SYNONYM'), ('FUNC', 'PROC'), ('FUNC', 'SYNONYM')
)
select
    outside.node_id,
    arg_min(
        struct_pack(node_id := defined.node_id, node_key := defined.node_key),
        row(
            defined.kind <> outside.kind, defined.branch <> outside.branch,
            -epoch(snapshot.prepared_at), defined.node_id
        )
    ) as definition
from numbered_nodes as outside
join numbered_nodes as defined
    on defined.stem = outside.stem and defined.repo <> outside.repo and not defined.is_external
join stage.snapshots as snapshot on snapshot.repo = defined.repo and snapshot.branch = defined.branch
left join alternatives
    on alternatives.written_kind = outside.kind and alternatives.defined_kind = defined.kind
where outside.is_external and (defined.kind = outside.kind or alternatives.written_kind is not null)
group by outside.node_id;

insert into nodes by name
select node.* exclude (stem), definition.node_id as definition_id
from numbered_nodes as node
left join definitions using (node_id)
order by node_id;

create or replace temp table ends as
select
    node.repo, node.branch, node.node_key as written_key,
    coalesce(definition.node_id, node.node_id) as node_id, coalesce(definition.node_key, node.node_key) as node_key
from numbered_nodes as node
left join definitions using (node_id);

-- Each file is split into lines once.
create or replace temp table snippets as
with places as (
    select repo, branch, source_file, list(distinct line order by line) as line_nos
    from stage.edges
    group by all
)
select
    places.repo, places.branch, places.source_file, unnest(line_nos) as line,
    unnest(list_select(string_split(source.text, chr(10)), line_nos)) as text
from places
join stage.sources as source
    on source.repo = places.repo and source.branch = places.branch and source.file_path = places.source_file;

insert into edges by name
with tied as (
    select
        edge.* exclude (from_key, to_key),
        from_end.node_id as from_id, to_end.node_id as to_id,
        from_end.node_key as from_key, to_end.node_key as to_key
    from stage.edges as edge
    join ends as from_end
        on from_end.written_key = edge.from_key and from_end.repo = edge.repo and from_end.branch = edge.branch
    join ends as to_end
        on to_end.written_key = edge.to_key and to_end.repo = edge.repo and to_end.branch = edge.branch
)
select
    row_number() over (
        order by from_id, relation, to_id, rule, detail, repo, branch, source_file, line
    ) as edge_no,
    tied.*, nullif(left(trim(snippets.text, chr(9) || chr(13) || ' '), 300), '') as snippet
from tied
left join snippets using (repo, branch, source_file, line)
order by edge_no;

drop table snippets;
drop table ends;
drop table definitions;

insert into snapshots by name
select
    row_number() over (order by repo, branch) as snapshot_no,
    snapshot.*,
    (select count(*) from stage.sources where repo = snapshot.repo and branch = snapshot.branch) as files,
    (select count(*) from stage.chunks where repo = snapshot.repo and branch = snapshot.branch) as chunks,
    (select count(*) from nodes where repo = snapshot.repo and branch = snapshot.branch) as nodes,
    (select count(*) from edges where repo = snapshot.repo and branch = snapshot.branch) as edges
from stage.snapshots as snapshot
order by snapshot_no;

insert into links
with seen_from_both as (
    select from_id as node_id, relation, 'out' as direction, to_id as neighbour_id, confidence, edge_no
    from edges
    where from_id <> to_id
    union all
    select to_id, relation, 'in', from_id, confidence, edge_no
    from edges
    where from_id <> to_id
),
surest as (
    select
        node_id, relation, direction, neighbour_id, max(confidence) as confidence,
        arg_min(edge_no, row(-confidence, edge_no)) as edge_no
    from seen_from_both
    group by node_id, relation, direction, neighbour_id
),
degrees as (
    select node_id, ln(exp(1) + count(distinct neighbour_id)) as damping from surest group by node_id
),
weighted as (
    select
        surest.*, steps.step, snapshot.snapshot_no,
        round(10000 * relations.weight * confidence / (own.damping * other.damping))::integer as weight
    from surest
    join relations using (relation)
    join steps on steps.relation = surest.relation and steps.direction = surest.direction
    join degrees as own on own.node_id = surest.node_id
    join degrees as other on other.node_id = surest.neighbour_id
    join nodes as neighbour on neighbour.node_id = surest.neighbour_id
    join snapshots as snapshot on snapshot.repo = neighbour.repo and snapshot.branch = neighbour.branch
)
select
    node_id, step, row_number() over (partition by node_id, step order by weight desc, neighbour_id) as place,
    neighbour_id, snapshot_no, weight, edge_no
from weighted
order by node_id, step, place;

insert into node_names
with plain as (
    select
        node_id, node_key, name, kind,
        regexp_replace(regexp_replace(node_key, '\|[^|]*$', ''), '^[a-z]+:', '') as full_name,
        case when kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET', 'INDEX', 'FOREIGN_KEY') then 4 else 3 end as rank
    from nodes
    where definition_id is null
),
spellings as (
    select node_id, 1 as rank, node_key as spelling from plain
    union all
    select node_id, 2, full_name from plain
    union all
    select node_id, rank, case kind when 'FILE' then regexp_extract(full_name, '[^/]*$') else name end from plain
    union all
    select node_id, rank, array_to_string(string_split(full_name, '.')[-2:], '.') from plain where kind <> 'FILE'
)
select name_key(spelling) as name_key, node_id, min(rank) as rank
from spellings
group by all
order by all;

drop table numbered_nodes;
