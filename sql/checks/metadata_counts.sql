-- Counts of files and chunks in the metadata that are not what is stored.
with stored as (
    select 'total_source_documents' as key, count(*) as stored from source_documents
    union all
    select 'total_chunks', count(*) from documents
)
select key, value, stored
from stored
join embedding_metadata using (key)
where value is distinct from stored::varchar
order by key
