-- Postings that are not in order of term and chunk, or that stand there twice: lookups rely on the order.
with neighbours as (
    select
        rowid as position, term_key, chunk_no,
        lag(term_key) over (order by rowid) as term_key_before, lag(chunk_no) over (order by rowid) as chunk_no_before
    from fts_postings
)
select position, term_key, chunk_no, term_key_before, chunk_no_before
from neighbours
where term_key < term_key_before
    or (term_key = term_key_before and chunk_no <= chunk_no_before)
order by position
