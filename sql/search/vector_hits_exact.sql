-- Nearest chunks among those that the filters leave; every vector is compared.
select chunk_no, score, row_number() over (order by score * weight desc, chunk_no) as rank
from (
    select
        chunk_no, array_inner_product(embedding, $query_vector::float[64])::double as score,
        if($weigh, importance_score, 1.0) as weight
    from documents
    where sign_0 is not null
        and true -- filters
    order by score * weight desc, chunk_no
    limit $vector_depth
)
