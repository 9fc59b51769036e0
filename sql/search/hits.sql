-- Hits of both sides, one row per chunk. `vector_score` is the cosine, `weighted_score` that times importance.
select
    unnest($hit_chunks::integer[]) as chunk_no,
    unnest($hit_bm25_ranks::bigint[]) as bm25_rank, unnest($hit_bm25_scores::double[]) as bm25_score,
    unnest($hit_vector_ranks::bigint[]) as vector_rank, unnest($hit_vector_scores::double[]) as vector_score,
    unnest($hit_weighted_scores::double[]) as weighted_score
