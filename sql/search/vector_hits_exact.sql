-- Nearest chunks among those that the filters leave; every vector is compared.
select chunk_no, score, row_number() over (order by score desc, chunk_no) as rank
from (
    select chunk_no, array_inner_product(embedding, $query_vector::float[64])::double as score
    from documents
    where embedding is not null
        and true -- filters
    order by score desc, chunk_no
    limit $vector_depth
)
