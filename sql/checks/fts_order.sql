-- Postings that stand there twice, or that are not in order of term and chunk in a store that was not amended since.
with neighbours as (
    select
        term_key, chunk_no,
        lag(term_key) over () as term_key_before,
        lag(chunk_no) over () as chunk_no_before
    from fts_postings
),
twice as (
    select term_key, chunk_no from fts_postings group by term_key, chunk_no having count(*) > 1
)
select term_key, chunk_no, term_key_before, chunk_no_before
from neighbours
where (term_key < term_key_before or term_key = term_key_before and chunk_no < chunk_no_before)
    and not exists (from ragduck_meta where key = 'amended_chunks')
union all
select term_key, chunk_no, term_key, chunk_no
from twice
order by term_key, chunk_no
