-- Vectors that are not of unit length, although the store says that its vectors are.
select chunk_no, id, sqrt(array_inner_product(embedding, embedding)) as length
from documents
where embedding is not null
    and not abs(array_inner_product(embedding, embedding) - 1) <= 1e-3
    and 'false' not in (select value from ragduck_meta where key = 'embedding_normalized')
order by chunk_no
