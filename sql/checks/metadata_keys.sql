-- Entries that say what the store is and how it was made, and that are missing.
with required as (
    select 'ragduck_meta' as place, unnest([
        'schema_version', 'ragduck_version', 'duckdb_version', 'created_at', 'tokenizer_version', 'bm25_k1',
        'model_key', 'vector_scan', 'vector_candidates', 'vector_recall_at_10', 'embedding_provider',
        'embedding_model', 'chunk_size', 'header_weight'
    ]) as key
    union all
    select 'embedding_metadata', unnest([
        'version', 'created_at', 'embedding_provider', 'embedding_model', 'embedding_dimensions',
        'chunking_strategy', 'chunk_size', 'include_headers', 'header_weight', 'total_source_documents',
        'unique_files', 'source_total_characters', 'total_chunks', 'min_chunk_size', 'max_chunk_size',
        'median_chunk_size', 'mean_chunk_size', 'chunks_total_characters', 'hybrid_search_enabled',
        'fts_enabled', 'source_documents_stored'
    ])
    union all
    select 'ragduck_meta', unnest([
        'embedding_revision', 'embedding_dimensions', 'embedding_normalized', 'embedding_query_prefix',
        'embedding_text_prefix'
    ])
    from ragduck_meta
    where key = 'embedding_model' and value <> 'none'
),
present as (
    select 'ragduck_meta' as place, key from ragduck_meta where value is not null
    union all
    select 'embedding_metadata', key from embedding_metadata where value is not null
)
select place, key
from required
anti join present using (place, key)
order by place, key
