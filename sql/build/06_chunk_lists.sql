-- What the graph tells of each chunk: its node, and keys of what its nodes read, write, call and so on. The nodes
-- of a chunk are its own and those whose lines lie in it.
create or replace temp table chunk_places as
with renamed as (
    select
        repo, branch, node_key, kind,
        regexp_replace(node_key, '\|[A-Z]+$', case kind when 'DBSET' then '|PROPERTY' else '|TYPE' end) as chunk_key
    from nodes
    where kind in ('DBSET', 'MIGRATION')
),
spelled as (
    select repo, branch, lower(node_key) as folded, min(node_key) as node_key
    from nodes
    group by all
)
select
    numbered.chunk_no, chunk.repo, chunk.branch, chunk.source_file, chunk.start_line, chunk.end_line,
    -- scripts may write a name in other letters, or define what a later one drops: that belongs to its file
    coalesce(renamed.node_key, spelled.node_key, file.node_key, chunk.node_key) as node_key,
    coalesce(renamed.kind, chunk.kind) as kind,
    chunk.file_type = 'inline_sql' as lies_in_another
from stage.chunks as chunk
join numbered using (repo, branch, source_file, object_id, chunk_part)
left join renamed
    on renamed.chunk_key = chunk.node_key and renamed.repo = chunk.repo and renamed.branch = chunk.branch
left join spelled
    on spelled.folded = lower(chunk.node_key) and spelled.repo = chunk.repo and spelled.branch = chunk.branch
left join nodes as file
    on file.node_key = concat('file:', chunk.source_file, '|FILE')
    and file.repo = chunk.repo and file.branch = chunk.branch;

create or replace temp table node_entries as
with code as (
    select node_id
    from nodes
    where starts_with(node_key, 'csharp:') or starts_with(node_key, 'razor:') or node_key like 'file:%.cshtml|FILE'
        or node_key like 'file:%.razor|FILE'
),
tables_of_sets as (
    select entity.from_key as set_key, entity.from_id as set_id, mapped.to_id as table_id
    from edges as entity
    join edges as mapped on mapped.from_id = entity.to_id
    where entity.relation = 'MapsTo' and mapped.relation = 'MapsTo'
)
select from_id as node_id, 'reads_from' as list, to_key as entry from edges where relation = 'ReadsFrom'
union
select from_id, 'writes_to', to_key from edges where relation = 'WritesTo'
union
select from_id, 'calls', to_key from edges where relation in ('Calls', 'Executes')
union
select to_id, 'called_by', from_key from edges where relation in ('Calls', 'Executes')
union
select from_id, 'fk_dependencies', to_key from edges where relation = 'ForeignKey'
union
select to_id, 'fk_dependencies', from_key from edges where relation = 'ForeignKey'
union
select edge.to_id, 'used_by_csharp', edge.from_key
from edges as edge
join nodes as used on used.node_id = edge.to_id
where edge.from_id in (from code) and used.data_type = 'db_code' and edge.relation <> 'SchemaChange'
union
select table_id, 'used_by_csharp', set_key from tables_of_sets where set_id in (from code);

create or replace temp table chunk_lists as
with nodes_of_chunks as (
    select chunk.chunk_no, node.node_id
    from chunk_places as chunk
    join nodes as node
        on node.node_key = chunk.node_key and node.repo = chunk.repo and node.branch = chunk.branch
    union
    select chunk.chunk_no, node.node_id
    from nodes as node
    asof join (from chunk_places where not lies_in_another) as chunk
        on chunk.source_file = node.source_file and chunk.repo = node.repo and chunk.branch = node.branch
        and chunk.start_line <= node.start_line
    where node.end_line <= chunk.end_line
),
entries as (
    select chunk_no, list, entry
    from nodes_of_chunks
    join node_entries using (node_id)
    union all
    select chunk_no, null, null from chunk_places
),
gathered as (
    select
        chunk_no,
        list(distinct entry order by entry) filter (where list = 'reads_from') as reads_from,
        list(distinct entry order by entry) filter (where list = 'writes_to') as writes_to,
        list(distinct entry order by entry) filter (where list = 'calls') as calls,
        list(distinct entry order by entry) filter (where list = 'called_by') as called_by,
        list(distinct entry order by entry) filter (where list = 'fk_dependencies') as fk_dependencies,
        list(distinct entry order by entry) filter (where list = 'used_by_csharp') as used_by_csharp
    from entries
    group by chunk_no
)
select
    chunk_no, chunk.node_key, chunk.kind,
    coalesce(reads_from, []) as reads_from, coalesce(writes_to, []) as writes_to, coalesce(calls, []) as calls,
    coalesce(called_by, []) as called_by, coalesce(fk_dependencies, []) as fk_dependencies,
    coalesce(used_by_csharp, []) as used_by_csharp
from gathered
join chunk_places as chunk using (chunk_no);

drop table chunk_places;
drop table node_entries;
