-- Chunks whose field lengths are not the sums of the occurrences in them.
with sums as (
    select
        chunk_no, sum(tf_content) as content, sum(tf_parts) as parts, sum(tf_name) as name, sum(tf_path) as path
    from fts_postings
    group by chunk_no
),
lengths as (
    select chunk_no, content, parts, name, path from fts_lengths
)
select chunk_no, lengths.content, sums.content as posted_content, lengths.parts, sums.parts as posted_parts,
    lengths.name, sums.name as posted_name, lengths.path, sums.path as posted_path
from lengths
full join sums using (chunk_no)
where (lengths.content, lengths.parts, lengths.name, lengths.path)
    is distinct from (sums.content, sums.parts, sums.name, sums.path)
order by chunk_no
