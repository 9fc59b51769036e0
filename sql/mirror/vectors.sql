-- Vectors of a run of chunks, in order.
select chunk_no, embedding
from documents
where sign_0 is not null
    and chunk_no > $low
    and chunk_no <= $high
order by chunk_no
