-- Nearest chunks among those that the filters leave; every vector is compared.
select chunk_no, cosine, cosine * importance_score as score
from (
    select
        chunk_no, importance_score,
        array_inner_product(embedding, $query_vector::float[64])::double as cosine
    from documents
    where embedding is not null  -- not sign_0: DuckDB 1.3 then takes some vectors that it finds for null
        and true -- filters
)
order by score desc, chunk_no
limit $depth
