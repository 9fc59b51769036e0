-- The commonest word of a store that is as like a word as possible: one letter wrong, missing, added or exchanged, of long
-- words two.
with near as materialized (
    select term, chunks
    from fts_terms
    where left(term, 1) = left($word, 1) and abs(length(term) - length($word)) <= $most and regexp_matches(term, '^[a-z]+$')
)
select term
from near
where damerau_levenshtein(term, $word) <= $most
order by damerau_levenshtein(term, $word), chunks desc, term
limit 1;
