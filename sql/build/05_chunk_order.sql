-- Files and chunks in their final order, as numbers. The first definition of a name has the plain id, others carry
-- their path: sources before tests, tests before migrations.
create or replace temp table numbered_sources as
select row_number() over (order by repo, branch, file_path)::integer as source_no, rowid as row_id
from stage.sources;

create or replace temp table chunk_files as
with files as (
    select distinct repo, branch, source_file from stage.chunks
)
select row_number() over (order by repo, branch, source_file)::integer as file_no, snapshot.snapshot_no, files.*
from files
join numbered_snapshots as snapshot using (repo, branch);

create or replace temp table numbered_chunks as
with placed as (
    select
        chunk.rowid as row_id, file.snapshot_no, file.file_no, chunk.object_id, chunk.importance_score,
        chunk.start_line, chunk.file_type = 'inline_sql' as lies_in_another, chunk.chunk_part, chunk.node_key,
        case when chunk.file_class not in ('generated', 'vendored') then vector.rowid end as vector_row
    from stage.chunks as chunk
    join chunk_files as file using (repo, branch, source_file)
    left join saved.embeddings as vector
        on vector.content_hash = chunk.content_hash and vector.model = getvariable('model')
)
select
    (row_number() over (
        order by
            file_no, start_line,
            lies_in_another,  -- after the chunk of the member around it
            chunk_part, node_key
    ))::integer as chunk_no,
    row_id, file_no,
    file_no = first_value(file_no) over (
        partition by snapshot_no, object_id
        order by importance_score desc, file_no
    ) as is_first,
    vector_row
from placed;
