-- BM25F alone.
select
    chunk_no, score, rank as bm25_rank, score as bm25_score,
    null::bigint as vector_rank, null::double as vector_score
from keyword_hits
