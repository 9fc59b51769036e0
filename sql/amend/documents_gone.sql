-- Chunks of the branch: those that are not as they were give way to what was read, with vectors that the store has.
create or replace temp table new_vectors as
with own as (
    select
        node_id, content_hash,
        sign_0,  -- per 128 dimensions
        embedding,
        file_class not in ('generated', 'vendored') as may_have_one
    from part.documents
    where node_id not in (from same_documents)
),
held as (
    select content_hash, min(chunk_no) as chunk_no
    from store.documents
    where sign_0 is not null
        and content_hash in (select content_hash from own where sign_0 is null and may_have_one)
    group by content_hash
),
found as (
    select
        own.node_id,
        own.sign_0,  -- per 128 dimensions
        own.embedding
    from own
    where sign_0 is not null
    union all by name
    select
        own.node_id,
        known.sign_0,  -- per 128 dimensions
        known.embedding
    from own
    join held using (content_hash)
    join store.documents as known on known.chunk_no = held.chunk_no
    where own.sign_0 is null and own.may_have_one
)
from found
union all by name
select
    node_id,
    null::hugeint as sign_0,  -- per 128 dimensions
    null::float[64] as embedding
from own
where node_id not in (select node_id from found);

delete from store.documents
where repo = getvariable('repo') and branch = getvariable('branch') and node_id not in (from same_documents);
