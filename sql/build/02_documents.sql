-- Chunks in their final order, with stable ids. The first definition of a name has the plain id, others carry
-- their path: sources before tests, tests before migrations.
insert into source_documents by name
select * from stage.sources
order by repo, branch, file_path;

create or replace temp table numbered as
with files as (
    select
        repo, branch, object_id, source_file,
        row_number() over (
            partition by repo, branch, object_id
            order by importance_score desc, source_file
        ) = 1 as is_first
    from stage.chunks
    group by repo, branch, object_id, source_file, importance_score
),
embedded as (
    select content_hash from stage.embeddings where model = getvariable('model')
)
select
    chunk.repo, chunk.branch, chunk.source_file, chunk.object_id, chunk.chunk_part,
    (row_number() over (
        order by chunk.repo, chunk.branch, chunk.source_file, chunk.start_line, chunk.chunk_part
    ))::integer as chunk_no,
    chunk.object_id || if(files.is_first, '', '@' || chunk.source_file) || ':part=' || chunk.chunk_part as id,
    if(
        chunk.file_class not in ('generated', 'vendored') and chunk.content_hash in (from embedded),
        chunk.content_hash,
        null
    ) as embedded_hash
from stage.chunks as chunk
join files using (repo, branch, object_id, source_file);

-- Two inner joins rather than one left join: DuckDB 2.0.0 reads garbage where an array is null after a left join.
insert into documents by name
with chunks as (
    select
        md5(concat_ws(chr(31), repo, branch, source_file, object_id, chunk_part)) as node_id,
        * exclude (embedding_text),
        []::varchar[] as reads_from, []::varchar[] as writes_to, []::varchar[] as calls,
        []::varchar[] as called_by, []::varchar[] as fk_dependencies, []::varchar[] as used_by_csharp
    from stage.chunks
    join numbered using (repo, branch, source_file, object_id, chunk_part)
)
select
    chunks.* exclude (embedded_hash),
    vector.sign_0,  -- per 64 dimensions
    vector.embedding
from chunks
join stage.embeddings as vector
    on vector.content_hash = chunks.embedded_hash and vector.model = getvariable('model')
union all by name
select
    * exclude (embedded_hash),
    null::bigint as sign_0,  -- per 64 dimensions
    null::float[64] as embedding
from chunks
where embedded_hash is null
order by chunk_no;

drop table numbered;

insert into snapshots by name
select
    snapshot.*,
    (
        select count(*) from source_documents
        where repo = snapshot.repo and branch = snapshot.branch
    ) as files,
    (
        select count(*) from documents
        where repo = snapshot.repo and branch = snapshot.branch
    ) as chunks
from stage.snapshots as snapshot
order by repo, branch;
