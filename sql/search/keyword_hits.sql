-- Best chunks by BM25F, importance included, among those that the filters leave.
select chunk_no, sum(weight) as score, count(*) as terms
from fts_postings
where term_key in (select unnest($term_keys::bigint[]))
    and true -- filters
group by chunk_no
order by score desc, chunk_no
limit $depth
