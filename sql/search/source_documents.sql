-- Whole files of chunks, each once, in the order of the chunks given.
with wanted as (
    select unnest($chunk_ids::varchar[]) as chunk_id, unnest(range(len($chunk_ids::varchar[]))) as place
),
files as (
    select chunk.doc_id, min(wanted.place) as place
    from documents as chunk
    join wanted on wanted.chunk_id in (chunk.node_id, chunk.id)
    group by chunk.doc_id
)
select
    source.doc_id, source.file_path, source.file_name, source.text,
    source.repo, source.branch, source.language, source.file_class, source.project
from source_documents as source
join files using (doc_id)
order by files.place, source.doc_id;
