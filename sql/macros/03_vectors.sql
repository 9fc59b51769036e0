-- Vector search: the signs of all vectors are compared first, then the best few exactly. Where they differ, a component
-- of the question counts by its size: 0 to 3 halves of
-- the root mean square, in two bits. That scan is most of the work: it takes
-- the widest words there are and sums floats, whose addition needs no check for overflow.
create macro nearest_scores(query_vector, top_k := 10, candidates := 500) as table
    select chunk_no, cosine * importance_score as score, cosine
    from (
        select
            chunk.chunk_no, chunk.importance_score,
            array_inner_product(chunk.embedding, query_vector::float[64])::double as cosine
        from documents as chunk
        join (
            select documents.chunk_no
            from documents, (
                select
                    substring(translate(codes, '01234567', '00001111'), 128 * 0 + 1, 128)::bit::hugeint as query_sign_0,  -- per 128 dimensions
                    substring(translate(codes, '01234567', '01010101'), 128 * 0 + 1, 128)::bit::hugeint as once_sign_0,  -- per 128 dimensions
                    substring(translate(codes, '01234567', '00110011'), 128 * 0 + 1, 128)::bit::hugeint as twice_sign_0,  -- per 128 dimensions
                from (
                    select
                        translate(
                            [
                                4 * (component > 0)::utinyint + least(round(2 * abs(component) / unit), 3)::utinyint
                                for component in components
                            ]::varchar,
                            '[], ', ''
                        ) as codes
                    from (
                        select
                            components,
                            greatest(sqrt(array_inner_product(components, components) / array_length(components)), 1e-30)
                                as unit
                        from (select query_vector::float[64] as components)
                    )
                )
            )
            where documents.sign_0 is not null
            order by
                0::float
                + bit_count(xor(documents.sign_0, query_sign_0) & once_sign_0)  -- per 128 dimensions
                + 2::float * bit_count(xor(documents.sign_0, query_sign_0) & twice_sign_0)  -- per 128 dimensions
                , documents.chunk_no
            limit case when top_k is not null then greatest(candidates, 10 * least(top_k, 200_000_000)::bigint) end
        ) as closest using (chunk_no)
    )
    order by score desc, chunk_no
    limit top_k;

create macro nearest(query_vector, top_k := 10) as table
    select
        chunk.node_id, chunk.id, best.score, best.cosine,
        chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
        chunk.element_name, chunk.element_type, chunk.repo, chunk.branch, chunk.text
    from documents as chunk
    join nearest_scores(query_vector, top_k := top_k) as best on best.chunk_no = chunk.chunk_no
    order by best.score desc, chunk.chunk_no;

comment on macro table nearest_scores is
    'Cosine of the nearest chunks, and their score, cosine times importance: chunk_no, score, cosine.';
comment on macro table nearest is 'Best chunks by meaning: nearest(vector of the store''s model, top_k := 20).';
