-- Vector search: the signs of all vectors are compared first, then the best few exactly.
create macro nearest_scores(query_vector, top_k := 10, weigh := false, candidates := 500) as table
    with query as materialized (
        select query_vector::float[64] as vector
    ),
    components as (
        select unnest(vector::float[]) as component, unnest(range(len(vector::float[]))) as position
        from query
    ),
    bits as (
        select component, position, if(position % 64 = 63, -9223372036854775808, 1::bigint << (position % 64)) as bit
        from components
    ),
    signs as materialized (
        select
            coalesce(bit_or(bit) filter (component > 0 and position // 64 = 0), 0) as sign_0,  -- per 64 dimensions
            count(*) as dimensions
        from bits
    ),
    closest_signs as materialized (
        select chunk.chunk_no
        from documents as chunk, signs
        where chunk.sign_0 is not null
        order by
            0::smallint
            + bit_count(xor(chunk.sign_0, signs.sign_0))::smallint  -- per 64 dimensions
            , chunk.chunk_no
        limit if(top_k is null, null, greatest(candidates, 5 * top_k))
    ),
    scored as (
        select
            chunk_no, importance_score,
            array_inner_product(embedding, (select vector from query))::double as score
        from documents
        where chunk_no in (select chunk_no from closest_signs)
    )
    select chunk_no, score
    from scored
    order by score * if(weigh, importance_score, 1.0) desc, chunk_no
    limit top_k;

create macro nearest(query_vector, top_k := 10) as table
    with hits as (
        select chunk_no, score from nearest_scores(query_vector, top_k := top_k, weigh := true)
    )
    select
        chunk.node_id, chunk.id, hits.score * chunk.importance_score as score,
        chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
        chunk.element_name, chunk.element_type, chunk.repo, chunk.branch, chunk.text
    from documents as chunk
    join hits on hits.chunk_no = chunk.chunk_no
    order by hits.score * chunk.importance_score desc, chunk.chunk_no;

comment on macro table nearest_scores is 'Cosine of the nearest chunks: chunk_no, score; weigh orders by cosine times importance.';
comment on macro table nearest is 'Best chunks by meaning: nearest(vector of the store''s model, top_k := 20).';
