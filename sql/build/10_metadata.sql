-- The keys under which sqlrooms-rag looks for model, chunking and counts.
insert into embedding_metadata
with meta as (
    select map(list(key), list(value)) as entry from ragduck_meta
),
chunk_sizes as (
    select
        count(*) as total, coalesce(min(length(text)), 0) as smallest, coalesce(max(length(text)), 0) as largest,
        coalesce(median(length(text)), 0) as middle, coalesce(avg(length(text)), 0) as mean,
        coalesce(sum(length(text)), 0) as characters
    from documents
),
sources as (
    select count(*) as total, count(distinct file_path) as files, (select total from source_characters) as characters
    from source_documents
),
facts as (
    select unnest([
        {'key': 'version', 'value': entry['ragduck_version']},
        {'key': 'created_at', 'value': entry['created_at']},
        {'key': 'embedding_provider', 'value': entry['embedding_provider']},
        {'key': 'embedding_model', 'value': entry['embedding_model']},
        {'key': 'embedding_dimensions', 'value': coalesce(entry['embedding_dimensions'], '0')},
        {'key': 'chunking_strategy', 'value': 'symbols'},
        {'key': 'chunk_size', 'value': entry['chunk_size']},
        {'key': 'include_headers', 'value': (entry['header_weight']::integer > 0)::varchar},
        {'key': 'header_weight', 'value': entry['header_weight']},
        {'key': 'total_source_documents', 'value': sources.total::varchar},
        {'key': 'unique_files', 'value': sources.files::varchar},
        {'key': 'source_total_characters', 'value': sources.characters::varchar},
        {'key': 'total_chunks', 'value': chunk_sizes.total::varchar},
        {'key': 'min_chunk_size', 'value': chunk_sizes.smallest::varchar},
        {'key': 'max_chunk_size', 'value': chunk_sizes.largest::varchar},
        {'key': 'median_chunk_size', 'value': round(chunk_sizes.middle)::bigint::varchar},
        {'key': 'mean_chunk_size', 'value': round(chunk_sizes.mean)::bigint::varchar},
        {'key': 'chunks_total_characters', 'value': chunk_sizes.characters::varchar},
        {'key': 'hybrid_search_enabled', 'value': (entry['embedding_model'] <> 'none')::varchar},
        {'key': 'fts_enabled', 'value': 'true'},
        {'key': 'source_documents_stored', 'value': 'true'}
    ]) as fact
    from meta, chunk_sizes, sources
)
select fact.key, fact.value, getvariable('created_at')::timestamp
from facts;
