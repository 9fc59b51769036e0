-- Snapshots, relations, the steps to walk them, and names by which nodes are found.
drop table places;
drop table snippets;
drop table numbered_edges;
drop table edge_files;
drop table definitions;
drop table stage.nodes;

insert into snapshots by name
select
    snapshot.*,
    (select count(*) from stage.sources where repo = snapshot.repo and branch = snapshot.branch) as files,
    (select count(*) from stage.chunks where repo = snapshot.repo and branch = snapshot.branch) as chunks,
    (select count(*) from nodes where repo = snapshot.repo and branch = snapshot.branch) as nodes,
    (select count(*) from edges where repo = snapshot.repo and branch = snapshot.branch) as edges
from numbered_snapshots as snapshot
order by snapshot_no;

insert into relations
with known (relation, weight, description) as (
    values
        ('Calls', 1.0, 'method to method, procedure to function'),
        ('Executes', 1.0, 'method or procedure to procedure'),
        ('WritesTo', 1.0, 'method, procedure or trigger to table'),
        ('Handles', 0.9, 'page, view or method to the controller, action or model that handles it; message or event to the method that handles it'),
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
        ('Contains', 0.4, 'file to type, type to member'),
        ('LeadsTo', 0.4, 'method to the action or form that it redirects or links to')
),
counts as (
    select relation, count(*) as edges from edges group by relation
)
select relation, coalesce(known.weight, 0.5), coalesce(counts.edges, 0), coalesce(known.description, '')
from known
full join counts using (relation)
order by known.relation is null, known.weight desc, relation;

-- A change spreads to what refers to the changed node; what contains it, changed its schema or only sends browsers to it
-- does not break.
insert into steps
with numbered as (
    select relation, 2 * row_number() over () as relation_no from relations
)
select relation_no, relation, 'out', false from numbered
union all
select relation_no + 1, relation, 'in', relation not in ('Contains', 'SchemaChange', 'LeadsTo') from numbered
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
        ('Contains', ['contain', 'has']),
        ('LeadsTo', ['leads', 'redirect', 'redirects'])
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

-- How much a node with many neighbours dampens what passes through it.
create or replace temp table linked_nodes as
with neighbours as (
    select from_id as node_id, to_id as neighbour_id from edges where from_id <> to_id
    union
    select to_id, from_id from edges where from_id <> to_id
),
degrees as (
    select node_id, ln(exp(1) + count(*)) as damping from neighbours group by node_id
)
select node_id, degrees.damping, node.snapshot_no
from degrees
join numbered_nodes as node using (node_id);

-- Members of base types under the names of the types that inherit them, unless these have one of that name: of the
-- nearest type, of a class rather than of an interface as near.
create or replace temp table inherited_names as
with recursive ancestors as (
    select from_id as type_id, to_id as ancestor_id, 1 as depth, relation = 'Implements' as is_interface
    from edges
    where relation in ('Inherits', 'Implements')
    union
    select ancestors.type_id, base.to_id, depth + 1, base.relation = 'Implements'
    from ancestors
    join edges as base on base.from_id = ancestors.ancestor_id
    where base.relation in ('Inherits', 'Implements') and depth < 8
),
members as (
    select owner.from_id as type_id, member.node_id, member.name
    from edges as owner
    join nodes as type on type.node_id = owner.from_id
    join nodes as member on member.node_id = owner.to_id
    where owner.relation = 'Contains' and type.kind = 'TYPE' and member.kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET')
        and member.name <> type.name
),
inherited as (
    select ancestors.type_id, member.node_id, member.name
    from ancestors
    join members as member on member.type_id = ancestors.ancestor_id
    anti join members as own on own.type_id = ancestors.type_id and own.name = member.name
    qualify dense_rank() over (partition by ancestors.type_id, member.name order by depth, is_interface) = 1
)
select node_id, type_id, name
from inherited
group by all;

insert into node_names
with full_names as (
    select
        node_id, node_key, name, kind,
        regexp_replace(regexp_replace(node_key, '\|[^|]*$', ''), '^[a-z]+:', '') as full_name
    from nodes
    where definition_id is null
),
plain as (
    select
        *,
        if(kind = 'SCHEMA', 5, 2) as full_rank,  -- its main table is often called as it is
        case
            when kind = 'SCHEMA' then 5
            when kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET', 'INDEX', 'FOREIGN_KEY') then 4
            else 3
        end as rank
    from full_names
),
spellings as (
    select
        node_id,
        unnest([1, full_rank, rank, rank]) as rank,
        unnest([
            node_key, full_name,
            case kind when 'FILE' then regexp_extract(full_name, '[^/]*$') else name end,
            case when kind <> 'FILE' then array_to_string(string_split(full_name, '.')[-2:], '.') end
        ]) as spelling
    from plain
    union all
    select inherited.node_id, 6, unnest([type.name, type.full_name]) || '.' || inherited.name
    from inherited_names as inherited
    join full_names as type on type.node_id = inherited.type_id
)
select name_key(spelling) as name_key, node_id, min(rank) as rank
from spellings
where spelling is not null
group by all
order by all;

drop table inherited_names;
