-- Distinct contents that have no vector yet, shortest first so that batches hold texts of one length.
create or replace temp table missing as
with wanted as (
    select content_hash, min(embedding_text) as embedding_text
    from stage.chunks
    where file_class not in ('generated', 'vendored') and embedding_text is not null
    group by content_hash
)
select
    content_hash, embedding_text,
    row_number() over (order by strlen(embedding_text), content_hash) as position
from wanted
anti join (select content_hash from saved.embeddings where model = getvariable('model')) using (content_hash)
order by position;
