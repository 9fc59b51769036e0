-- Nearest chunks among those that the filters leave: the closest by sign bits, then these exactly.
select chunk_no, score, row_number() over (order by score desc, chunk_no) as rank
from (
    select chunk_no, array_inner_product(embedding, $query_vector::float[64])::double as score
    from documents
    where chunk_no in (
        select chunk_no
        from documents
        where embedding is not null
            and true -- filters
        order by
            0::smallint
            + bit_count(xor(sign_0, $sign_0::ubigint))::smallint
            , chunk_no
        limit $vector_candidates
    )
    order by score desc, chunk_no
    limit $vector_depth
)
