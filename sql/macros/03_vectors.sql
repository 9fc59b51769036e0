-- Vector search: the signs of all vectors are compared first, then the best few exactly. That scan is most of the
-- work: it takes the widest words there are and sums floats, whose addition needs no check for overflow.
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
                    substring(bits, 128 * 0 + 1, 128)::bit::hugeint as query_sign_0,  -- per 128 dimensions
                from (
                    select
                        translate(
                            [(component > 0)::utinyint for component in query_vector::float[64]]::varchar, '[], ', ''
                        ) as bits
                )
            )
            where documents.sign_0 is not null
            order by
                0::float
                + bit_count(xor(documents.sign_0, query_sign_0))  -- per 128 dimensions
                , documents.chunk_no
            limit case when top_k is not null then greatest(candidates, 5 * top_k) end
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
