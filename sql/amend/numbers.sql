-- Chunks of the store that are gone or have other words, and the new numbers of those that have others.
create or replace temp table dropped_chunks as
select chunk_no
from store.documents
where chunk_no > getvariable('first_chunk') and chunk_no <= getvariable('last_chunk')
    and chunk_no not in (select live_no from known_chunks);

create or replace temp table moved_chunks as
select live_no as old_no, chunk_no + getvariable('first_chunk') as new_no
from known_chunks
where live_no <> chunk_no + getvariable('first_chunk')
union all
select chunk_no, chunk_no + getvariable('more_chunks')
from store.documents
where getvariable('more_chunks') <> 0 and chunk_no > getvariable('last_chunk');
