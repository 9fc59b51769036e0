-- Chunks that the live file has, too, by their numbers in both, if it tells of each once and its postings are whole.
-- Whether their words are the same is not yet known.
create or replace temp table pairs as
with counted as (
    select chunk_no, sum(tf_content) as content, sum(tf_parts) as parts, sum(tf_name) as name, sum(tf_path) as path
    from live.fts_postings
    group by chunk_no
),
told_once as (
    select chunk_no from live.fts_lengths group by chunk_no having count(*) = 1
),
whole as (
    select chunk_no
    from live.fts_lengths
    join counted using (chunk_no, content, parts, name, path)
    join told_once using (chunk_no)
)
select chunk.chunk_no, known.chunk_no as live_no
from documents as chunk
join live.documents as known using (node_id)
join whole on whole.chunk_no = known.chunk_no
qualify count(*) over (partition by chunk.chunk_no) = 1 and count(*) over (partition by known.chunk_no) = 1;
