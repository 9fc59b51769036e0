-- Distinct contents that have no vector yet, shortest first so that batches hold texts of one length. They are
-- numbered before their texts join them, as a grouping or numbering of texts would hold all of them.
create or replace temp table missing as
with texts as (
    select rowid as row_id, content_hash, embedding_text
    from stage.chunks
    where file_class not in ('generated', 'vendored') and embedding_text is not null
    union all
    select -1 - rowid, content_hash, embedding_text from stage.rebuilt
),
wanted as (
    select content_hash, any_value(strlen(embedding_text)) as size, min(row_id) as row_id
    from texts
    group by content_hash
),
numbered as (
    select row_id, row_number() over (order by size, content_hash) as position
    from wanted
    anti join (select content_hash from saved.embeddings where model = getvariable('model')) using (content_hash)
    anti join stage.embedded using (content_hash)
)
select texts.content_hash, texts.embedding_text, numbered.position
from texts
join numbered using (row_id)
order by numbered.position;
