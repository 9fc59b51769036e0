-- Reciprocal rank fusion of keyword and vector search; Cormack et al. 2009.
create macro hybrid(query_text, query_vector, top_k := 10, rrf_k := 60, depth := 100) as table
    with keyword_hits as (
        select chunk_no, row_number() over (order by score desc, chunk_no) as rank
        from (
            select chunk_no, score
            from bm25_scores(query_text)
            order by score desc, chunk_no
            limit greatest(depth, 2 * top_k)
        )
    ),
    vector_hits as (
        select chunk_no, row_number() over (order by score desc, chunk_no) as rank
        from nearest_scores(query_vector, top_k := greatest(depth, 2 * top_k))
    ),
    best as (
        select
            chunk_no, keyword_hits.rank as bm25_rank, vector_hits.rank as vector_rank,
            coalesce(1.0 / (rrf_k + keyword_hits.rank), 0.0) + coalesce(1.0 / (rrf_k + vector_hits.rank), 0.0)
                as score
        from keyword_hits
        full join vector_hits using (chunk_no)
        order by score desc, vector_rank nulls last, bm25_rank nulls last, chunk_no
        limit top_k
    )
    select
        chunk.node_id, chunk.id, best.score,
        chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
        chunk.element_name, chunk.element_type, chunk.repo, chunk.branch, chunk.text,
        best.bm25_rank, best.vector_rank
    from documents as chunk
    join best on best.chunk_no = chunk.chunk_no
    order by best.score desc, best.vector_rank nulls last, best.bm25_rank nulls last, chunk.chunk_no;

comment on macro table hybrid is
    'Best chunks by keyword and meaning, fused by rank: hybrid(''place order'', vector, top_k := 20).';
