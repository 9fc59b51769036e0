-- Nearest chunks among those that the filters leave: the closest by sign bits, then these exactly. Components of the
-- question count by their size: 0, once, twice, or both.
select chunk_no, cosine, cosine * importance_score as score
from (
    select
        chunk_no, importance_score,
        array_inner_product(embedding, $query_vector::float[64])::double as cosine
    from documents
    where chunk_no in (
        select chunk_no
        from documents
        where sign_0 is not null
            and true -- filters
        order by
            0::float
            + bit_count(xor(sign_0, $sign_0::bit::hugeint) & $once_sign_0::bit::hugeint)  -- per 128 dimensions
            + 2::float * bit_count(xor(sign_0, $sign_0::bit::hugeint) & $twice_sign_0::bit::hugeint)  -- per 128 dimensions
            , chunk_no
        limit $candidates
    )
)
order by score desc, chunk_no
limit $depth
