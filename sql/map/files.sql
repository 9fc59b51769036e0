-- Files of the wanted branches, and how long they are.
select doc_id, repo, branch, file_path, file_name, len(text) - len(replace(text, chr(10), '')) + 1 as lines
from source_documents
where (len($repos::varchar[]) = 0 or list_contains($repos::varchar[], repo))
    and (len($branches::varchar[]) = 0 or list_contains($branches::varchar[], branch))
order by repo, branch, file_path
