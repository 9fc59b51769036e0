-- Fingerprint of what a copy of the vectors outside the file depends on. Chunks are hashed in blocks, so that no text
-- of all of them is ever held.
create macro vectors_fingerprint() as (
    select sha256(concat_ws(
        chr(10),
        (select value from ragduck_meta where key = 'model_key'),
        (select value from ragduck_meta where key = 'embedding_dimensions'),
        coalesce(sum(block.chunks), 0)::bigint,
        string_agg(block.digest, chr(10) order by block.place)
    ))
    from (
        select
            chunk_no // 1024 as place, count(*) as chunks,
            sha256(string_agg(chunk_no || ' ' || content_hash, chr(10) order by chunk_no)) as digest
        from documents
        where sign_0 is not null
        group by chunk_no // 1024
    ) as block
);

comment on macro vectors_fingerprint is
    'Hash over model, dimension, count, and number and content hash of each chunk with a vector; ragduck_meta keeps it.';
