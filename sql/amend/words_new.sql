-- Lengths and terms of chunks that are new or have other words.
insert into store.fts_lengths
select chunk_no, content, parts, name, path from part.fts_lengths order by chunk_no;

insert into store.fts_terms
select term_key, term, 0, 0
from changed_terms
where term_key not in (select term_key from store.fts_terms)
order by term_key;

update store.fts_terms
set chunks = fts_terms.chunks + changed.more
from changed_terms as changed
where changed.term_key = fts_terms.term_key;

delete from store.fts_terms where chunks = 0;
