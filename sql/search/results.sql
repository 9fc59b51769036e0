-- The best of the ranked chunks with all that a result tells, in no order: sorting rows this wide takes longer here
-- than where they are read. Ties are broken by the better rank by meaning, then by keyword.
with best as (
    select *
    from ranked
    order by score desc, vector_rank nulls last, bm25_rank nulls last, chunk_no
    limit $top_k
)
select
    chunk.* exclude (
        embedding, metadata_, chunk_no,
        sign_0,  -- per 128 dimensions
        importance_score
    ),
    chunk.importance_score,
    chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
    best.* exclude (chunk_no)
from documents as chunk
join best using (chunk_no)
