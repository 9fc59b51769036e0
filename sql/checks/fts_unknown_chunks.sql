-- Postings of chunks that do not exist.
select chunk_no, count(*) as postings
from fts_postings
where chunk_no not in (select chunk_no from documents)
group by chunk_no
order by chunk_no
