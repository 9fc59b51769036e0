-- BM25F alone.
select chunk_no, bm25_score as score, bm25_rank, bm25_score, vector_rank, vector_score
from hits
