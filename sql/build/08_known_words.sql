-- Words of the chunks that did not change, under their new numbers, in the order of the live file.
drop table pairs;

insert into postings
select posting.term_key, known.chunk_no, tf_content, tf_parts, tf_name, tf_path
from live.fts_postings as posting
join known_chunks as known on known.live_no = posting.chunk_no;

insert into term_counts
with terms as (
    select distinct term_key, term from live.fts_terms where term_key(term) = term_key
),
counts as (
    select term_key, count(*) as chunks from postings group by term_key
)
select term_key, terms.term, counts.chunks
from terms
join counts using (term_key);

insert into lengths
select known.chunk_no, content, parts, name, path
from live.fts_lengths as length
join known_chunks as known on known.live_no = length.chunk_no;
