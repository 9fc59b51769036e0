-- Reciprocal rank fusion (Cormack et al. 2009): what counts is the place in each list, not the score.
select
    chunk_no,
    coalesce(1.0 / ($rrf_k + keyword_hits.rank), 0.0) + coalesce(1.0 / ($rrf_k + vector_hits.rank), 0.0)
        as score,
    keyword_hits.rank as bm25_rank, keyword_hits.score as bm25_score,
    vector_hits.rank as vector_rank, vector_hits.cosine as vector_score
from keyword_hits
full join vector_hits using (chunk_no)
