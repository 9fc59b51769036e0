-- Best chunks by BM25F with other parameters than the store was made with, among those that the filters leave.
select chunk_no, score, terms
from bm25f_scores($query_text, k1 := $bm25_k1)
join (
    select chunk_no, count(*) as terms
    from fts_postings
    where term_key in (select unnest($term_keys::bigint[]))
    group by chunk_no
) using (chunk_no)
where true -- filters
order by score desc, chunk_no
limit $depth
