-- Postings that are not in order of term and chunk, or that stand there twice.
with neighbours as (
    select
        term_key, chunk_no,
        lag(term_key) over () as term_key_before,
        lag(chunk_no) over () as chunk_no_before
    from fts_postings
)
select term_key_before, chunk_no_before, term_key, chunk_no
from neighbours
where term_key < term_key_before
    or (term_key = term_key_before and chunk_no <= chunk_no_before)
order by term_key, chunk_no
