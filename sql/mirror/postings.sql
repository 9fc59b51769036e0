-- All postings, in the order of the table, which is that of their terms.
select term_key, chunk_no, weight
from fts_postings
