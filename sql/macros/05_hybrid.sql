-- Keyword and vector search, fused by rank and put in order by signals; without a vector by keyword alone.
create macro hybrid(query_text, query_vector, top_k := 10, settings := null, depth := 100) as table
    with asked as materialized (
        select *, len(term_keys) as terms, []::bigint[] as quoted_chunks, []::bigint[] as placed_chunks
        from question(
            query_text, settings := settings, side := case when query_vector is null then 'bm25' else 'both' end
        )
    ),
    keyword_hits as (
        select chunk_no, row_number() over (order by score desc, chunk_no) as rank, terms
        from (
            select chunk_no, sum(weight) as score, count(*) as terms
            from fts_postings
            where term_key in (select unnest(asked.term_keys) from asked)
            group by chunk_no
            order by
                -- what has the last part of a qualified name: beside the others, it may be common
                chunk_no in (
                    select chunk_no
                    from chunk_signals
                    where name_key in (
                        select unnest(word_keys) from asked where class = 'symbol' and contains(query_text, '.')
                    )
                ) desc,
                score desc, chunk_no
            limit greatest(depth, 2 * top_k)
        )
    ),
    vector_hits as (
        select chunk_no, row_number() over (order by score desc, chunk_no) as rank
        from nearest_scores(query_vector, top_k := greatest(depth, 2 * top_k))
        where query_vector is not null
    ),
    hits as (
        select
            chunk_no, keyword_hits.rank as bm25_rank, keyword_hits.terms as bm25_terms,
            vector_hits.rank as vector_rank,
            signal.* exclude (chunk_no), named.* exclude (file_no)
        from keyword_hits
        full join vector_hits using (chunk_no)
        join chunk_signals as signal using (chunk_no)
        left join (
            select
                file_no, sum(file_share) as file_share, sum(folder_share) as folder_share,
                sum(case when file_share > 0 then rarity else 0 end) as rarity
            from file_terms
            where stem_key in (select unnest(asked.stem_keys) from asked)
            group by file_no
        ) as named using (file_no)
    )
    select
        chunk.node_id, chunk.id, best.score,
        chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location,
        chunk.element_name, chunk.element_type, chunk.repo, chunk.branch, chunk.text,
        best.bm25_rank, best.vector_rank
    from documents as chunk
    join (
        select *
        from (
-- part: search/ranked.sql
        )
        order by score desc, vector_rank nulls last, bm25_rank nulls last, chunk_no
        limit top_k
    ) as best on best.chunk_no = chunk.chunk_no
    order by best.score desc, best.vector_rank nulls last, best.bm25_rank nulls last, chunk.chunk_no;

comment on macro table hybrid is
    'Best chunks by keyword, meaning and signals: hybrid(''place order'', vector, top_k := 20, settings := ranking(same_file := 1)).';
