-- Files by their names without folders, in lower case; those of several branches once.
select distinct lower(file_name) as name, file_path
from source_documents
where lower(file_name) in (select unnest($names::varchar[]))
    and true -- filters
order by file_path
