-- How many chunks there are, and between which numbers.
select count(*) as chunks, min(chunk_no) as lowest, max(chunk_no) as highest
from documents
