-- Vector search: the signs of all vectors are compared first, then the best few exactly.
create macro nearest_scores(query_vector, top_k := 10, candidates := 500) as table
    with query as materialized (
        select query_vector::float[64] as vector
    ),
    components as (
        select unnest(vector::float[]) as component, unnest(range(len(vector::float[]))) as position
        from query
    ),
    signs as materialized (
        select
            bit_or(1::ubigint << (position % 64)::ubigint) filter (component > 0 and position // 64 = 0) as sign_0,
            1 as one
        from components
    ),
    closest_signs as materialized (
        select chunk.chunk_no
        from documents as chunk, signs
        where chunk.embedding is not null
        order by
            0::smallint
            + bit_count(xor(chunk.sign_0, coalesce(signs.sign_0, 0)))::smallint
            , chunk.chunk_no
        limit candidates
    )
    select chunk_no, array_inner_product(embedding, (select vector from query))::double as score
    from documents
    where chunk_no in (select chunk_no from closest_signs)
    order by score desc, chunk_no
    limit top_k;

create macro nearest(query_vector, top_k := 10) as table
    with hits as (
        select chunk_no, score from nearest_scores(query_vector, top_k := top_k)
    )
    select
        chunk.node_id, chunk.id, hits.score * chunk.importance_score as score,
        chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
        chunk.element_name, chunk.element_type, chunk.repo, chunk.branch, chunk.text
    from documents as chunk
    join hits on hits.chunk_no = chunk.chunk_no
    order by hits.score * chunk.importance_score desc, chunk.chunk_no;

comment on macro table nearest_scores is 'Cosine of the nearest chunks: chunk_no, score.';
comment on macro table nearest is 'Best chunks by meaning: nearest(vector of the store''s model, top_k := 20).';
