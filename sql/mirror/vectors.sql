-- Vectors of a run of chunks, in order.
select chunk_no, embedding
from documents
where embedding is not null  -- not sign_0: DuckDB 1.3 then takes some vectors that it finds for null
    and chunk_no > $low
    and chunk_no <= $high
order by chunk_no
