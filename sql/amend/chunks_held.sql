-- Chunks that are looked at of files that did not change, without their texts.
insert into stage.chunks by name
select
    held.* exclude (
        id, chunk_no, text, embedding, metadata_,
        sign_0,  -- per 128 dimensions
        reads_from, writes_to, calls, called_by, fk_dependencies, used_by_csharp
    ) replace (
        coalesce(named.node_key, held.node_key) as node_key,
        if(named.node_key is null, held.kind, named.kind) as kind
    )
from store.documents as held
semi join looked_at using (repo, branch, source_file)
left join named_chunks as named on named.node_id = held.node_id
where not (
    repo = getvariable('repo') and branch = getvariable('branch') and source_file in (from changed_files)
);

create or replace temp table chunk_files as
select row_number() over (order by repo, branch, source_file)::integer as file_no, snapshot.snapshot_no, looked_at.*
from looked_at
join numbered_snapshots as snapshot using (repo, branch);

-- The first definition of a name has the plain id, wherever it is.
create or replace temp table first_files as
with objects as (
    select distinct repo, branch, object_id from stage.chunks
),
places as (
    select repo, branch, object_id, source_file, importance_score
    from stage.chunks
    union all
    select repo, branch, object_id, source_file, importance_score
    from store.documents
    semi join objects using (repo, branch, object_id)
    anti join looked_at using (repo, branch, source_file)
)
select distinct on (repo, branch, object_id) repo, branch, object_id, source_file
from places
order by repo, branch, object_id, importance_score desc, source_file;

create or replace temp table same_chunks (chunk_no integer, live_no integer);

create or replace temp table numbered_chunks as
with fresh as (
    select
        chunk.rowid as row_id,
        place.first + row_number() over (
            partition by chunk.source_file
            order by
                chunk.start_line, chunk.file_type = 'inline_sql',  -- after the chunk of the member around it
                chunk.chunk_part, chunk.node_key
        ) - 1 as chunk_no
    from stage.chunks as chunk
    join file_places as place using (source_file)
    where chunk.node_id is null
),
numbered as (
    from fresh
    union all
    select chunk.rowid, numbers.chunk_no
    from stage.chunks as chunk
    join chunk_numbers as numbers using (node_id)
)
select
    numbered.chunk_no::integer as chunk_no, numbered.row_id, file.file_no, first.source_file = chunk.source_file as is_first,
    case when chunk.file_class not in ('generated', 'vendored') then vector.rowid end as vector_row
from stage.chunks as chunk
join numbered on numbered.row_id = chunk.rowid
join chunk_files as file using (repo, branch, source_file)
join first_files as first using (repo, branch, object_id)
left join saved.embeddings as vector
    on vector.content_hash = chunk.content_hash and vector.model = getvariable('model');

delete from chunk_numbers where node_id in (select node_id from stage.chunks);

drop table first_files;
drop table file_places;

-- What lists tell of the nodes of these files, and what their files are referred to by.
create or replace temp table listed_nodes as
select node_id from store.nodes semi join looked_at using (repo, branch, source_file)
union
select node.node_id
from stage.chunks as chunk
join store.nodes as node using (repo, branch)
where lower(node.node_key) = lower(chunk.node_key);

create or replace temp table listed_edges as
select from_id, to_id, relation
from store.edges
where from_id in (from listed_nodes) or to_id in (from listed_nodes) or relation = 'MapsTo';

create or replace view part.edges as from listed_edges;
