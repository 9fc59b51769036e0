-- Chunks of which the words are known: those that are as they were, and those of which other things are not.
insert into known_chunks
from same_chunks
union all
select own.chunk_no, known.chunk_no
from part.documents as own
join store.documents as known using (node_id)
where known.importance_score = own.importance_score
    and
    -- part: build/same_words.sql
;

-- Chunks of the store that are gone or have other words, and the new numbers of those that have others.
create or replace temp table gone_chunks as
select chunk_no
from store.documents
semi join looked_at using (repo, branch, source_file)
where chunk_no not in (select live_no from same_chunks);

create or replace temp table dropped_chunks as
select chunk_no from gone_chunks where chunk_no not in (select live_no from known_chunks);

create or replace temp table moved_chunks as
select held_no as old_no, chunk_no as new_no from chunk_numbers where held_no <> chunk_no
union all
select live_no, chunk_no from known_chunks where live_no <> chunk_no;
