-- Search terms whose key, count of chunks or idf does not follow from the postings.
with counts as (
    select term_key, count(*) as chunks from fts_postings group by term_key
),
total as (
    select count(*) as chunks from documents
)
select
    term_key, entry.term, entry.chunks, coalesce(counts.chunks, 0) as posted_chunks, entry.idf,
    row_number() over (partition by term_key) as copy
from fts_terms as entry
full join counts using (term_key), total
where entry.term is null
    or term_key <> term_key(entry.term)
    or entry.chunks is distinct from counts.chunks
    or not abs(entry.idf - idf_of(entry.chunks, total.chunks)) <= 1e-9
order by term_key, entry.term
