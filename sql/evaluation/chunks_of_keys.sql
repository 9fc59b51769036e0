-- The chunks that keys name: a chunk, an object, a node, a C# or database key. A type or file stands for all in it.
with wanted as (
    select distinct unnest($keys::varchar[]) as wanted_key
),
names as (
    select
        unnest(list_distinct([
            id, node_id, object_id, db_key, regexp_replace(id, ':part=[0-9]+$', ''),
            case when file_type <> 'inline_sql' then node_key end,
            case when file_type <> 'inline_sql' then cs_key end
        ])) as wanted_key,
        node_id
    from documents
),
named as (
    select wanted_key, node_id
    from wanted
    join names using (wanted_key)
),
classes as (
    select wanted.wanted_key, nodes.source_file, nodes.start_line, nodes.end_line, nodes.repo, nodes.branch
    from wanted
    join documents on documents.cs_key = wanted.wanted_key
    join nodes using (node_key, repo, branch)
    where nodes.kind in ('TYPE', 'MIGRATION')
),
stretches as (
    select wanted.wanted_key, nodes.source_file, nodes.start_line, nodes.end_line, nodes.repo, nodes.branch
    from wanted
    join nodes on nodes.node_key = wanted.wanted_key
    where nodes.kind in ('TYPE', 'MIGRATION', 'FILE')
        or not exists (select 1 from named where named.wanted_key = wanted.wanted_key)
    union
    select * from classes
),
inside as (
    select stretches.wanted_key, documents.node_id
    from stretches
    join documents using (source_file, repo, branch)
    where documents.end_line >= coalesce(stretches.start_line, 1)
        and documents.start_line <= coalesce(stretches.end_line, documents.start_line)
)
select wanted_key, node_id from named
union
select wanted_key, node_id from inside
order by wanted_key, node_id;
