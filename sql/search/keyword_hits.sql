-- Best chunks by BM25F, importance included, among those that the filters leave.
select chunk_no, score, row_number() over (order by score desc, chunk_no) as rank
from (
    select chunk_no, score
    from bm25_scores($query_text)
    where true -- filters
    order by score desc, chunk_no
    limit $keyword_depth
)
