-- Questions about the graph that take no parameter.
create view dangling_references as
with mapped as (
    select to_id as node_id from edges where relation = 'MapsTo'
    union
    select from_id from edges where relation = 'ForeignKey' and rule = 'many to many'  -- a table without an entity
),
with_tables as (
    select distinct repo, branch from nodes where kind = 'TABLE' and not is_external
),
made as (  -- what code and procedures create where it is used, and migrations for themselves
    select
        change.to_id as node_id, change.from_id as maker_id,
        maker.kind is distinct from 'MIGRATION' and maker.role is distinct from 'TEST' as is_for_all
    from edges as change
    join nodes as maker on maker.node_id = change.from_id
    where change.relation = 'SchemaChange' and change.rule in ('create table', 'raw sql')
)
select
    node.node_key, node.kind, edge.from_key, edge.relation, edge.source_file, edge.line, edge.snippet, edge.rule,
    edge.confidence, edge.repo, edge.branch
from nodes as node
join edges as edge on edge.to_id = node.node_id
where node.is_external and node.definition_id is null and node.data_type = 'db_code'
    and edge.relation <> 'SchemaChange'  -- a migration names what it drops
    and not exists (
        from made where made.node_id = node.node_id and (made.is_for_all or made.maker_id = edge.from_id)
    )
    and split_part(node.node_key, '|', 1) = concat_ws('.', node.schema, node.name)
    and lower(coalesce(node.schema, '')) not in ('sys', 'information_schema')
    and (  -- where code alone makes the database, the tables of its entities are not missing
        node.node_id not in (select node_id from mapped)
        or exists (from with_tables where with_tables.repo = node.repo and with_tables.branch = node.branch)
    )
order by node.node_key, edge.repo, edge.branch, edge.source_file, edge.line, edge.from_key, edge.edge_no;

create view uncalled_procedures as
with calls as (
    select
        coalesce(synonym.to_id, edge.to_id) as to_id,
        coalesce(caller.role = 'TEST', false) or coalesce(source.file_class = 'test', false) as is_test
    from edges as edge
    join nodes as caller on caller.node_id = edge.from_id
    left join source_documents as source
        on source.file_path = edge.source_file and source.repo = edge.repo and source.branch = edge.branch
    left join edges as synonym on synonym.from_id = edge.to_id and synonym.relation = 'SynonymFor'
    where edge.relation in ('Executes', 'Calls') and edge.from_id <> edge.to_id
),
counted as (
    select to_id, bool_and(is_test) as only_tests from calls group by to_id
)
select
    node.node_key, node.schema, node.name, node.repo, node.branch, node.source_file, node.start_line,
    coalesce(counted.only_tests, false) as called_by_tests
from nodes as node
left join counted on counted.to_id = node.node_id
where node.kind = 'PROC' and not node.is_external and coalesce(counted.only_tests, true)
order by node.node_key, node.repo, node.branch;

create view table_history as
with changes as (
    select
        edge.to_key as table_key, changer.version, edge.rule as operation, edge.detail, edge.from_key as migration,
        edge.source_file, edge.line, edge.snippet, edge.repo, edge.branch,
        list_transform(  -- numbers by their size: 9.sql comes before 10.sql, and V1__a.sql before V1_1__b.sql
            regexp_extract_all(lower(edge.source_file), '[0-9]+|[^0-9]+'),
            lambda part: case
                when part >= '0' and part < ':' then lpad(part, greatest(18, length(part))::integer, '0')
                when part in ('.', '_') then '~'
                else part
            end
        ) as file_order
    from edges as edge
    join nodes as changer on changer.node_id = edge.from_id
    where edge.relation = 'SchemaChange'
)
select
    * exclude (file_order),
    row_number() over (
        partition by table_key, repo, branch
        order by version nulls first, file_order, source_file, line, operation, detail
    ) as change_no
from changes
order by table_key, repo, branch, change_no;

create view hubs as
with counts as (
    select
        link.node_id, count(distinct link.neighbour_id) as neighbours,
        count(distinct link.neighbour_id) filter (where steps.direction = 'in') as used_by,
        count(distinct link.neighbour_id) filter (where steps.direction = 'out') as uses
    from links as link
    join steps using (step)
    where steps.relation <> 'Contains'
    group by link.node_id
)
select
    node.node_key, node.kind, node.role, counts.neighbours, counts.used_by, counts.uses, node.source_file,
    node.repo, node.branch, node.is_external
from counts
join nodes as node using (node_id)
order by counts.neighbours desc, node.node_id;

comment on view dangling_references is
    'Database objects that are named and that nothing in the store defines or creates, with each place that names them; '
    'objects of other databases and of the system are left out.';
comment on view uncalled_procedures is
    'Procedures that nothing in the store executes but tests: called_by_tests tells which of them tests do.';
comment on view table_history is 'What migrations and scripts did to each table, in order of version and path.';
comment on view hubs is 'Nodes by number of neighbours, containment left out: what most of the system leans on.';
comment on column dangling_references.node_key is 'What is named and not defined.';
comment on column dangling_references.kind is 'What the reference takes it for: TABLE, PROC, FUNC.';
comment on column dangling_references.from_key is 'Node that names it.';
comment on column dangling_references.relation is 'How: ReadsFrom, WritesTo, Executes, ForeignKey.';
comment on column dangling_references.source_file is 'File that names it.';
comment on column dangling_references.line is 'Line that names it.';
comment on column dangling_references.snippet is 'Text of the line.';
comment on column dangling_references.rule is 'Rule that found the reference.';
comment on column dangling_references.confidence is 'How sure the reference is, at most 1.';
comment on column dangling_references.repo is 'Repository that names it.';
comment on column dangling_references.branch is 'Branch that names it.';
comment on column uncalled_procedures.node_key is 'Procedure.';
comment on column uncalled_procedures.schema is 'Its schema.';
comment on column uncalled_procedures.name is 'Its name.';
comment on column uncalled_procedures.repo is 'Repository.';
comment on column uncalled_procedures.branch is 'Branch.';
comment on column uncalled_procedures.source_file is 'File that defines it.';
comment on column uncalled_procedures.start_line is 'Line at which it begins.';
comment on column uncalled_procedures.called_by_tests is 'Whether tests call it.';
comment on column table_history.table_key is 'Table that was changed.';
comment on column table_history.version is 'Version of the migration, which orders them; null for scripts without one.';
comment on column table_history.operation is 'create table, add column, raw sql and so on.';
comment on column table_history.detail is 'Column, key or index that it is about.';
comment on column table_history.migration is 'Migration or script.';
comment on column table_history.source_file is 'File of the migration.';
comment on column table_history.line is 'Line of the change.';
comment on column table_history.snippet is 'Text of the line.';
comment on column table_history.repo is 'Repository.';
comment on column table_history.branch is 'Branch.';
comment on column table_history.change_no is 'Place among the changes of the table, from 1: by version, then by numbers and names of files.';
comment on column hubs.node_key is 'Node.';
comment on column hubs.kind is 'Its kind.';
comment on column hubs.role is 'Its role.';
comment on column hubs.neighbours is 'Distinct neighbours.';
comment on column hubs.used_by is 'Neighbours that point at it.';
comment on column hubs.uses is 'Neighbours that it points at.';
comment on column hubs.source_file is 'File that defines it.';
comment on column hubs.repo is 'Repository.';
comment on column hubs.branch is 'Branch.';
comment on column hubs.is_external is 'Whether the store does not define it.';
