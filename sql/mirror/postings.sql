-- All postings, in the order of the table, which is that of their terms but for what was amended.
select term_key, chunk_no, weight
from fts_postings
