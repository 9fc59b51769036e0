-- Cosine times importance alone.
select chunk_no, weighted_score as score, bm25_rank, bm25_score, vector_rank, vector_score
from hits
