-- How many chunks of C# and SQL of one repository and branch lie outside of types and database objects.
select count(*) as chunks
from documents as chunk
join source_documents as source using (doc_id)
where chunk.repo = $repo
    and chunk.branch = $branch
    and starts_with(chunk.node_key, 'file:')
    and source.language in ('csharp', 'visualbasic', 'sql')
