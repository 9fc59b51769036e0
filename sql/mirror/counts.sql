-- How many postings and chunks there are, and how high their numbers go.
select postings, first, last, chunks, highest
from (select count(*) as postings, min(chunk_no) as first, max(chunk_no) as last from fts_postings),
    (select count(*) as chunks, max(chunk_no) as highest from documents)
