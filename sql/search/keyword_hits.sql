-- Best chunks by BM25F, importance included, among those that the filters leave; reads asked.
select chunk_no, score, row_number() over (order by score desc, chunk_no) as rank
from (
    select chunk_no, sum(weight) as score
    from fts_postings
    where term_key in (select unnest(asked.term_keys) from asked)
        and true -- filters
    group by chunk_no
    order by score desc, chunk_no
    limit $keyword_depth
)
