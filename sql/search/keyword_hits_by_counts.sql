-- Best chunks by BM25F with other parameters than the store was made with, among those that the filters leave.
select chunk_no, score
from bm25f_scores($query_text, k1 := $bm25_k1)
where true -- filters
order by score desc, chunk_no
limit $depth
