-- Hits of both sides, one row per chunk, with what chunk_signals and named_files.sql tell of it. `vector_score` is the
-- cosine.
select
    unnest(from_json($chunk_no::varchar, '["integer"]')) as chunk_no,
    unnest(from_json($bm25_rank::varchar, '["bigint"]')) as bm25_rank,
    unnest(from_json($bm25_score::varchar, '["double"]')) as bm25_score,
    unnest(from_json($vector_rank::varchar, '["bigint"]')) as vector_rank,
    unnest(from_json($vector_score::varchar, '["double"]')) as vector_score,
    unnest(from_json($file_no::varchar, '["integer"]')) as file_no,
    unnest(from_json($name_key::varchar, '["bigint"]')) as name_key,
    unnest(from_json($is_member::varchar, '["boolean"]')) as is_member,
    unnest(from_json($type_head::varchar, '["boolean"]')) as type_head,
    unnest(from_json($file_class::varchar, '["varchar"]')) as file_class,
    unnest(from_json($class_key::varchar, '["bigint"]')) as class_key,
    unnest(from_json($centrality::varchar, '["double"]')) as centrality,
    unnest(from_json($file_share::varchar, '["double"]')) as file_share,
    unnest(from_json($folder_share::varchar, '["double"]')) as folder_share,
    unnest(from_json($rarity::varchar, '["double"]')) as rarity
