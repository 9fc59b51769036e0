-- Words of chunks that are new or have other ones.
insert into store.fts_postings
select term_key, chunk_no, tf_content, tf_parts, tf_name, tf_path, 0
from postings
order by term_key, chunk_no;

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
