-- Which words the store has, in how many chunks, and how rare a word is that it does not have.
select
    known.term, known.chunks, known.idf, (select max(idf) from fts_terms) as top_idf
from fts_terms as known
where known.term_key in (select term_key(unnest($terms::varchar[])))
order by known.chunks desc, known.term;
