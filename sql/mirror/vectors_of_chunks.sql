-- Vectors of chunks by number, in order.
select chunk_no, embedding
from documents
where chunk_no in (select unnest($chunks::integer[]))
order by chunk_no
