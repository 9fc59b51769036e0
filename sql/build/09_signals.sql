-- What ranks a chunk beside its text: its name, its file's name and folders, and how central its file is.
drop table postings;

-- Members that share a chunk of their type, and columns of a table, but those called as some type, table or view of the
-- same branch: most are fields that hold one.
create or replace temp table members as
with named as (
    select chunk.chunk_no, chunk.repo, chunk.branch, fold(regexp_replace(node.name, '[`<(].*$', '')) as name
    from chunk_nodes
    join nodes as node on node.node_id = chunk_nodes.node_id
    join documents as chunk on chunk.chunk_no = chunk_nodes.chunk_no
    where chunk.kind = 'TYPE' and node.kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET')
        and not regexp_matches(node.name, '^__.*__$')  -- what every class of Python may have
),
columns as (  -- what begins a line, or follows a comma, with a type behind it
    select
        chunk_no, repo, branch,
        fold(unnest(regexp_extract_all(
            text, '(?:^|[\n,(])[ \t]*[\["`]?([A-Za-z_]\w*)[\]"`]?[ \t]+[\["`]?[A-Za-z]', 1
        ))) as name
    from documents
    where kind = 'TABLE' and data_type = 'db_code'
)
select chunk_no, list(distinct term_key(name) order by term_key(name)) as member_keys
from (
    from named
    union all
    from columns
    where name not in (
        'add', 'alter', 'as', 'check', 'clustered', 'constraint', 'create', 'default', 'drop', 'exec', 'execute',
        'foreign', 'grant', 'if', 'index', 'insert', 'into', 'key', 'nonclustered', 'not', 'on', 'or', 'period', 'primary',
        'references', 'select', 'set', 'unique', 'with'
    )
)
anti join type_names using (repo, branch, name)
where name <> ''
group by chunk_no;

drop table chunk_nodes;

insert into chunk_signals
with numbered_files as (
    select
        documents.repo, documents.branch, documents.source_file, any_value(file_class) as file_class,
        any_value(file_no) as file_no,
        case
            when bool_or(file_type = 'sql') then count(*)
            when bool_or(data_type = 'docs' or file_type = 'razor') then 0
            when bool_or(kind in ('TYPE', 'METHOD', 'PROPERTY', 'FIELD', 'MIGRATION')) then 0
            else count(*)
        end::integer as loose_chunks
    from documents
    join file_numbers using (repo, branch, source_file)
    group by documents.repo, documents.branch, documents.source_file
),
begun as (  -- an object of the database begins where it is defined; of code each part has the name
    select
        chunk.chunk_no, chunk.node_key, chunk.repo, chunk.branch, chunk.kind,
        regexp_replace(chunk.name, '[`<(].*$', '') as name,
        case
            when definition.node_id is null then true
            when chunk.source_file = definition.source_file
                then coalesce(definition.start_line between chunk.start_line and chunk.end_line, true)
            else chunk.chunk_part = 0 and chunk.element_type <> 'alter_table'  -- another version of it
        end as begins,
        case
            when definition.node_id is null then chunk.kind in ('TYPE', 'TABLE', 'VIEW') and chunk.chunk_part = 0
            else begins and chunk.source_file = definition.source_file
                and chunk.kind in ('TABLE', 'VIEW', 'PROC', 'FUNC', 'TRIGGER')
        end as is_head
    from documents as chunk
    left join nodes as definition
        on definition.node_key = chunk.node_key and definition.repo = chunk.repo and definition.branch = chunk.branch
        and definition.data_type = 'db_code' and not definition.is_external
),
named as (  -- every chunk where none holds the beginning, as of a table that migrations make
    select
        chunk_no, name, is_head,
        kind <> 'FILE' and (begins or not max(begins) over (partition by node_key, repo, branch)) as begins
    from begun
),
pairs as (
    select distinct from_id, to_id from edges where relation <> 'Contains'
),
incoming as (
    select target.repo, target.branch, target.source_file, count(*) as edges
    from pairs
    join nodes as target on target.node_id = pairs.to_id
    where target.source_file is not null
    group by all
)
select
    chunk.chunk_no, file.file_no,
    case when named.begins then term_key(nullif(fold(named.name), '')) end as name_key,
    case when named.begins then spelled_key(named.name) end as spelled_key,
    member_keys,
    coalesce(chunk.kind in ('METHOD', 'PROPERTY', 'FIELD'), false) as is_member,
    coalesce(chunk.kind <> 'FILE' and named.is_head and named.begins, false) as type_head,
    file.file_class, term_key(stem(file.file_class)) as class_key, ln(1 + coalesce(incoming.edges, 0)) as centrality,
    file.loose_chunks
from documents as chunk
join numbered_files as file using (repo, branch, source_file)
left join incoming using (repo, branch, source_file)
join named on named.chunk_no = chunk.chunk_no
left join members on members.chunk_no = chunk.chunk_no
order by chunk.chunk_no;

drop table members;

drop table type_names;
