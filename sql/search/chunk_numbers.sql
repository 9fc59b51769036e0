-- Numbers of the chunks that the filters leave.
select chunk_no
from documents
where true -- filters
