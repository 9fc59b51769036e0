-- Snapshots, relations, and the steps to walk them.
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
