-- Chunks of which the words are known: those that are as they were, and those of which other things are not.
insert into known_chunks
from same_chunks
union all
select own.chunk_no, known.chunk_no
from part.documents as own
join store.documents as known using (node_id)
where known.chunk_no > getvariable('first_chunk') and known.chunk_no <= getvariable('last_chunk')
    and known.importance_score = own.importance_score
    and
    -- part: build/same_words.sql
;
