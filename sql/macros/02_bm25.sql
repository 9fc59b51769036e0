-- A statistic of a thousand chunks or more moves by steps of one percent: between them a changed chunk leaves the weights
-- of all others as they are.
create macro steady(statistic, chunks) as
    case  -- `if` that DuckDB 2 stores is a function that 1.3 does not have
        when chunks < 1000 then statistic
        else exp(round(ln(greatest(statistic, 1e-9)), 2))
    end;

create macro idf_of(chunks_with_term, chunks) as
    ln(1 + (
        greatest(steady(chunks, chunks) - steady(chunks_with_term, chunks_with_term), 0) + 0.5
    ) / (steady(chunks_with_term, chunks_with_term) + 0.5));

-- BM25F over the posting tables; the weights were computed when the store was made, importance included.
create macro bm25_scores(query_text) as table
    select chunk_no, sum(weight) as score
    from fts_postings
    where term_key in (select term_key from query_keys(query_text))
    group by chunk_no;

-- The same from the stored counts, with other weights; null is what the store was made with.
create macro bm25f_scores(
    query_text, k1 := null,
    content_weight := null, parts_weight := null, name_weight := null, path_weight := null,
    content_b := null, parts_b := null, name_b := null, path_b := null
) as table
    select
        counted.chunk_no,
        sum(idf * tf * (counted.k1_value + 1) / (tf + counted.k1_value)) * any_value(chunk.importance_score) as score
    from (
        select
            posting.chunk_no, term.idf, field.k1_value,
            field.content_w * posting.tf_content
            / (1 - field.content_n + field.content_n * size.content / field.content_mean)
            + field.parts_w * posting.tf_parts
            / (1 - field.parts_n + field.parts_n * size.parts / field.parts_mean)
            + field.name_w * posting.tf_name / (1 - field.name_n + field.name_n * size.name / field.name_mean)
            + field.path_w * posting.tf_path / (1 - field.path_n + field.path_n * size.path / field.path_mean) as tf
        from fts_postings as posting
        join fts_terms as term using (term_key)
        join fts_lengths as size on size.chunk_no = posting.chunk_no, (
            select
                coalesce(k1, stored.k1_stored) as k1_value,
                coalesce(content_weight, stored.content_weight_stored)::double as content_w,
                coalesce(parts_weight, stored.parts_weight_stored)::double as parts_w,
                coalesce(name_weight, stored.name_weight_stored)::double as name_w,
                coalesce(path_weight, stored.path_weight_stored)::double as path_w,
                coalesce(content_b, stored.content_b_stored)::double as content_n,
                coalesce(parts_b, stored.parts_b_stored)::double as parts_n,
                coalesce(name_b, stored.name_b_stored)::double as name_n,
                coalesce(path_b, stored.path_b_stored)::double as path_n,
                stored.content_mean, stored.parts_mean, stored.name_mean, stored.path_mean
            from (
                select
                    (select value::double from ragduck_meta where key = 'bm25_k1') as k1_stored,
                    max(weight) filter (where field = 'content') as content_weight_stored,
                    max(b) filter (where field = 'content') as content_b_stored,
                    max(avg_length) filter (where field = 'content') as content_mean,
                    max(weight) filter (where field = 'parts') as parts_weight_stored,
                    max(b) filter (where field = 'parts') as parts_b_stored,
                    max(avg_length) filter (where field = 'parts') as parts_mean,
                    max(weight) filter (where field = 'name') as name_weight_stored,
                    max(b) filter (where field = 'name') as name_b_stored,
                    max(avg_length) filter (where field = 'name') as name_mean,
                    max(weight) filter (where field = 'path') as path_weight_stored,
                    max(b) filter (where field = 'path') as path_b_stored,
                    max(avg_length) filter (where field = 'path') as path_mean
                from fts_fields
            ) as stored
        ) as field
        where posting.term_key in (select term_key from query_keys(query_text))
    ) as counted
    join documents as chunk on chunk.chunk_no = counted.chunk_no
    where tf > 0
    group by counted.chunk_no;

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

comment on macro steady is 'A statistic, rounded to one percent where there are a thousand chunks or more.';
comment on macro idf_of is 'ln(1 + (N - n + 0.5) / (n + 0.5)) of N chunks, n of them with the term, both as steady numbers.';
comment on macro table bm25_scores is
    'BM25F score times importance of every chunk that has a term of the question: chunk_no, score.';
comment on macro table bm25 is 'Best chunks by keyword: bm25(''place order'', top_k := 20); top_k := null for all.';
comment on macro table bm25f_scores is
    'bm25_scores with other parameters, from the stored counts: bm25f_scores(''place order'', name_weight := 8, k1 := 0.9).';
