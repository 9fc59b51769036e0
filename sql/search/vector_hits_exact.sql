-- Nearest chunks among those that the filters leave; every vector is compared.
select chunk_no, cosine, cosine * importance_score as score
from (
    select
        chunk_no, importance_score,
        array_inner_product(embedding, $query_vector::float[64])::double as cosine
    from documents
    where sign_0 is not null
        and true -- filters
)
order by score desc, chunk_no
limit $depth
