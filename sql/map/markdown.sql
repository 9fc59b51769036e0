-- Markdown files of the wanted branches with their texts.
select doc_id, repo, branch, file_path, text
from source_documents
where language = 'markdown'
    and (len($repos::varchar[]) = 0 or list_contains($repos::varchar[], repo))
    and (len($branches::varchar[]) = 0 or list_contains($branches::varchar[], branch))
order by repo, branch, file_path
