-- Nearest chunks among those that the filters leave; every vector is compared. Those without a vector go at the end and
-- are dropped there: as a condition of the scan, that takes as long again.
select *
from (
    select chunk_no, cosine, cosine * importance_score as score
    from (
        select
            chunk_no, importance_score,
            array_inner_product(embedding, $query_vector::float[64])::double as cosine
        from documents
        where true -- filters
    )
    order by score desc nulls last, chunk_no
    limit $depth
)
where cosine is not null
order by score desc, chunk_no
