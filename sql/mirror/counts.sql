-- How many postings there are, and how high the numbers of their chunks go.
select count(*) as postings, min(chunk_no) as first, max(chunk_no) as last
from fts_postings
