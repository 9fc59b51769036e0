-- Chunks that are new, or not as they were.
insert into store.documents by name
select
    own.*,
    vector.sign_0,  -- per 128 dimensions
    vector.embedding
from part.documents as own
join new_vectors as vector using (chunk_no)
order by own.chunk_no;

drop table new_vectors;
