-- Whole files by path; the lines are cut out afterwards.
select doc_id, repo, branch, file_path as source_file, language, file_type, text
from source_documents
where file_path in (select unnest($paths::varchar[]))
order by repo, branch;
