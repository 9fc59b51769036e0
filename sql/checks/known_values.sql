-- Chunks and files with a file class or data type that is none of the known ones.
with classified as (
    select 'documents' as place, id, file_class, data_type from documents
    union all
    select 'source_documents', file_path, file_class, 'docs' from source_documents
)
select place, id, file_class, data_type
from classified
where file_class not in ('source', 'test', 'generated', 'migration', 'config', 'docs', 'vendored')
    or data_type not in ('regular_code', 'db_code', 'docs')
order by place, id
