-- BM25F over the posting tables; the weights were computed when the store was made, importance included.
create macro bm25_scores(query_text) as table
    select chunk_no, sum(weight) as score
    from fts_postings
    where term_key in (select term_key from query_keys(query_text))
    group by chunk_no;

create macro bm25(query_text, top_k := 10) as table
    with best as (
        select chunk_no, score
        from bm25_scores(query_text)
        order by score desc, chunk_no
        limit top_k
    )
    select
        chunk.node_id, chunk.id, best.score,
        chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
        chunk.element_name, chunk.element_type, chunk.repo, chunk.branch, chunk.text
    from documents as chunk
    join best on best.chunk_no = chunk.chunk_no
    order by best.score desc, chunk.chunk_no;

comment on macro table bm25_scores is
    'BM25F score times importance of every chunk that has a term of the question: chunk_no, score.';
comment on macro table bm25 is 'Best chunks by keyword: bm25(''place order'', top_k := 20); top_k := null for all.';
