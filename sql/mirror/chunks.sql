-- Numbers and importance of all chunks with a vector, in order.
select chunk_no, importance_score
from documents
where sign_0 is not null
order by chunk_no
