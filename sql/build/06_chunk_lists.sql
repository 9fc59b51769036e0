-- What the graph tells of each chunk, as numbers: its nodes, and what each node reads, writes, calls and so on. The
-- nodes of a chunk are its own and those whose lines lie in it.
drop table if exists stage.sources;
drop table if exists numbered_sources;
drop table if exists linked_nodes;

create or replace temp table chunk_places as
with renamed as (
    select
        node_id, snapshot_no, kind,
        regexp_replace(node_key, '\|[A-Z]+$', case kind when 'DBSET' then '|PROPERTY' else '|TYPE' end) as chunk_key
    from numbered_nodes
    where kind in ('DBSET', 'MIGRATION')
),
spelled as (
    select snapshot_no, lower(node_key) as folded, min(node_id) as node_id
    from numbered_nodes
    group by all
),
of_files as (
    select file.file_no, node.node_id
    from chunk_files as file
    join numbered_nodes as node
        on node.node_key = concat('file:', file.source_file, '|FILE') and node.snapshot_no = file.snapshot_no
)
select
    numbered.chunk_no, numbered.file_no, chunk.start_line, chunk.end_line,
    -- scripts may write a name in other letters, or define what a later one drops: that belongs to its file
    coalesce(renamed.node_id, spelled.node_id, of_files.node_id) as node_id,
    renamed.kind as renamed_kind,
    chunk.file_type = 'inline_sql' as lies_in_another
from stage.chunks as chunk
join numbered_chunks as numbered on numbered.row_id = chunk.rowid
join chunk_files as file using (file_no)
left join renamed on renamed.chunk_key = chunk.node_key and renamed.snapshot_no = file.snapshot_no
left join spelled on spelled.folded = lower(chunk.node_key) and spelled.snapshot_no = file.snapshot_no
left join of_files using (file_no);

create or replace temp table chunk_nodes as
with placed as (
    select node.node_id, file.file_no, node.start_line, node.end_line
    from nodes as node
    join chunk_files as file using (repo, branch, source_file)
)
select chunk_no, node_id
from chunk_places
where node_id is not null
union
select chunk.chunk_no, node.node_id
from placed as node
asof join (from chunk_places where not lies_in_another) as chunk
    on chunk.file_no = node.file_no and chunk.start_line <= node.start_line
where node.end_line <= chunk.end_line;

create or replace temp table node_entries as
with code as (
    select node_id
    from nodes
    where regexp_matches(node_key, '^(csharp|razor|webforms):|^file:.*\.(cshtml|razor|as[pc]x|master|asax)\|FILE$', 'i')
),
tables_of_sets as (
    select entity.from_id as set_id, mapped.to_id as table_id
    from edges as entity
    join edges as mapped on mapped.from_id = entity.to_id
    where entity.relation = 'MapsTo' and mapped.relation = 'MapsTo'
)
select from_id as node_id, 'reads_from' as list, to_id as entry_id from edges where relation = 'ReadsFrom'
union
select from_id, 'writes_to', to_id from edges where relation = 'WritesTo'
union
select from_id, 'calls', to_id from edges where relation in ('Calls', 'Executes')
union
select to_id, 'called_by', from_id from edges where relation in ('Calls', 'Executes')
union
select from_id, 'fk_dependencies', to_id from edges where relation = 'ForeignKey'
union
select to_id, 'fk_dependencies', from_id from edges where relation = 'ForeignKey'
union
select edge.to_id, 'used_by_csharp', edge.from_id
from edges as edge
join nodes as used on used.node_id = edge.to_id
where edge.from_id in (from code) and used.data_type = 'db_code' and edge.relation <> 'SchemaChange'
union
select table_id, 'used_by_csharp', set_id from tables_of_sets where set_id in (from code);
