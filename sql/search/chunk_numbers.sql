-- Numbers of the chunks with a vector that the filters leave.
select chunk_no
from documents
where sign_0 is not null
    and true -- filters
