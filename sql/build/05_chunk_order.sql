-- Files, and chunks in their final order with stable ids. The first definition of a name has the plain id, others
-- carry their path: sources before tests, tests before migrations.
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
    select content_hash from saved.embeddings where model = getvariable('model')
)
select
    chunk.repo, chunk.branch, chunk.source_file, chunk.object_id, chunk.chunk_part,
    (row_number() over (
        order by
            chunk.repo, chunk.branch, chunk.source_file, chunk.start_line,
            chunk.file_type = 'inline_sql',  -- after the chunk of the member around it
            chunk.chunk_part, chunk.node_key
    ))::integer as chunk_no,
    chunk.object_id || if(files.is_first, '', '@' || chunk.source_file) || ':part=' || chunk.chunk_part as id,
    if(
        chunk.file_class not in ('generated', 'vendored') and chunk.content_hash in (from embedded),
        chunk.content_hash,
        null
    ) as embedded_hash
from stage.chunks as chunk
join files using (repo, branch, object_id, source_file);
