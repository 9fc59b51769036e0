-- Vectors of a slice of the chunks, with a row for those that have none: DuckDB 2.0.0 reads garbage where an array is
-- null after a left join.
create or replace temp table chunk_vectors as
with numbered as (
    select chunk_no, vector_row
    from numbered_chunks
    where chunk_no >= getvariable('low') and chunk_no < getvariable('high')
)
select
    numbered.chunk_no,
    vector.sign_0::bit::hugeint as sign_0,  -- per 128 dimensions
    vector.embedding
from saved.embeddings as vector
join numbered on numbered.vector_row = vector.rowid
union all by name
select
    chunk_no,
    null::hugeint as sign_0,  -- per 128 dimensions
    null::float[64] as embedding
from numbered
where vector_row is null;
