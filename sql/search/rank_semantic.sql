-- Cosine times importance alone.
select
    chunk_no, score, null::bigint as bm25_rank, null::double as bm25_score,
    rank as vector_rank, cosine as vector_score
from vector_hits
