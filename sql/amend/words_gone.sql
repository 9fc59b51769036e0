-- How many more or fewer chunks have each term; words of chunks that are gone or have other ones go.
create or replace temp table changed_terms as
with counts as (
    select term_key, null::varchar as term, -count(*) as chunks
    from store.fts_postings
    where chunk_no in (from dropped_chunks)
    group by term_key
    union all
    select term_key, term, chunks from term_counts
)
select term_key, max(term) as term, sum(chunks)::integer as more
from counts
group by term_key;

delete from store.fts_postings where chunk_no in (from dropped_chunks);

delete from store.fts_lengths where chunk_no in (from dropped_chunks);

drop table dropped_chunks;
