-- Best chunks by BM25F times importance, among those that the filters leave.
select chunk_no, score, row_number() over (order by score * importance_score desc, chunk_no) as rank
from (
    select chunk_no, hit.score, chunk.importance_score
    from bm25_scores($query_text) as hit
    join documents as chunk using (chunk_no)
    where true -- filters
    order by hit.score * chunk.importance_score desc, chunk_no
    limit $keyword_depth
)
