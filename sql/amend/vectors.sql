-- Vectors of the chunks that are not as they were: new ones, or those that the store has of equal contents. With a row for
-- chunks that have none.
create or replace temp table new_vectors as
with own as (
    select chunk_no, content_hash, vector_row
    from part.documents
    join numbered_chunks using (chunk_no)
    where file_class not in ('generated', 'vendored')
),
held as (
    select content_hash, min(chunk_no) as live_no
    from store.documents
    where sign_0 is not null and content_hash in (select content_hash from own where vector_row is null)
    group by content_hash
),
found as (
    select
        own.chunk_no,
        vector.sign_0::bit::hugeint as sign_0,  -- per 128 dimensions
        vector.embedding
    from own
    join saved.embeddings as vector on vector.rowid = own.vector_row
    union all by name
    select
        own.chunk_no,
        known.sign_0,  -- per 128 dimensions
        known.embedding
    from own
    join held using (content_hash)
    join store.documents as known on known.chunk_no = held.live_no
    where own.vector_row is null
)
from found
union all by name
select
    chunk_no,
    null::hugeint as sign_0,  -- per 128 dimensions
    null::float[64] as embedding
from part.documents
where chunk_no not in (select chunk_no from found);
