-- The best of the ranked chunks. Ties are broken by the better rank by meaning, then by keyword.
select *
from ranked
order by score desc, vector_rank nulls last, bm25_rank nulls last, chunk_no
limit $top_k::varchar::integer
