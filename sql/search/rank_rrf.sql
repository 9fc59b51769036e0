-- Reciprocal rank fusion (Cormack et al. 2009): what counts is the place in each list, not the score.
select
    chunk_no,
    coalesce(1.0 / (setting.rrf_k + bm25_rank), 0.0) + coalesce(1.0 / (setting.rrf_k + vector_rank), 0.0) as score,
    bm25_rank, bm25_score, vector_rank, vector_score
from hits, (select $rrf_k::varchar::double as rrf_k) as setting
