-- Texts of the files of C# and SQL of one repository and branch.
select file_path, text
from source_documents
where repo = $repo and branch = $branch and language in ('csharp', 'visualbasic', 'sql')
