-- Hits of both sides, one row per chunk. `vector_score` is the cosine, `weighted_score` that times importance.
select
    unnest(from_json($chunk_no::varchar, '["integer"]')) as chunk_no,
    unnest(from_json($bm25_rank::varchar, '["bigint"]')) as bm25_rank,
    unnest(from_json($bm25_score::varchar, '["double"]')) as bm25_score,
    unnest(from_json($vector_rank::varchar, '["bigint"]')) as vector_rank,
    unnest(from_json($vector_score::varchar, '["double"]')) as vector_score,
    unnest(from_json($weighted_score::varchar, '["double"]')) as weighted_score
