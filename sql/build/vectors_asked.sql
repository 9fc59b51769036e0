-- Vectors spread evenly over the store, to ask for their neighbours.
select chunk_no, embedding
from documents
where embedding is not null
    and chunk_no % $step = 0
order by chunk_no
limit $sample
