-- Chunks that the live file has, too, by their numbers in both. Whether their words are the same is not yet known.
create or replace temp table pairs as
select chunk.chunk_no, known.chunk_no as live_no
from documents as chunk
join live.documents as known using (node_id);
