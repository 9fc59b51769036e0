-- Every vector of the live file, whatever is replaced: it may serve again.
insert into saved.embeddings by name
select
    getvariable('model') as model,
    content_hash,
    sign_0::bit::blob as sign_0,  -- per 128 dimensions
    embedding
from live.documents
where embedding is not null and chunk_no in (
    select min(chunk_no)
    from live.documents
    where embedding is not null
        and content_hash not in (select content_hash from saved.embeddings where model = getvariable('model'))
    group by content_hash
);
