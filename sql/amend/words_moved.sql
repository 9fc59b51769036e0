-- Numbers of the chunks whose words are known.
update store.fts_postings
set chunk_no = moved.new_no
from moved_chunks as moved
where moved.old_no = fts_postings.chunk_no;

update store.fts_lengths
set chunk_no = moved.new_no
from moved_chunks as moved
where moved.old_no = fts_lengths.chunk_no;
