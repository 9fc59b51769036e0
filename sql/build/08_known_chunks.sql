-- Those of a slice of the chunks of which nothing changed that their words are taken from.
insert into known_chunks
with own as (
    select * from documents where chunk_no >= getvariable('low') and chunk_no < getvariable('high')
),
found as (
    select * from pairs where chunk_no >= getvariable('low') and chunk_no < getvariable('high')
)
select found.chunk_no, found.live_no
from found
join own using (chunk_no)
join live.documents as known on known.chunk_no = found.live_no
where
    -- part: build/same_words.sql
;
