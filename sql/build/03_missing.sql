-- Distinct contents that have no vector yet, shortest first so that batches hold texts of one length. They are
-- numbered before their texts join them, as a grouping or numbering of texts would hold all of them.
create or replace temp table missing as
with wanted as (
    select content_hash, any_value(strlen(embedding_text)) as size, min(rowid) as row_id
    from stage.chunks
    where file_class not in ('generated', 'vendored') and embedding_text is not null
    group by content_hash
),
numbered as (
    select row_id, row_number() over (order by size, content_hash) as position
    from wanted
    anti join (select content_hash from saved.embeddings where model = getvariable('model')) using (content_hash)
)
select chunk.content_hash, chunk.embedding_text, numbered.position
from stage.chunks as chunk
join numbered on numbered.row_id = chunk.rowid
order by numbered.position;
