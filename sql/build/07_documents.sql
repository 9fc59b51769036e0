-- Chunks with their vectors and with what the graph tells of them, a slice of the chunks.
-- part: build/07_chunk_lists.sql
-- part: build/07_chunk_vectors.sql
insert into documents by name
select
    described.*,
    vector.sign_0,  -- per 128 dimensions
    vector.embedding
from described_chunks() as described
join chunk_vectors as vector using (chunk_no)
order by chunk_no;
