-- Files of one repository and branch in languages that a RoslynIndexer bundle has no place for.
select language, count(*) as files
from source_documents
where repo = $repo and branch = $branch and language not in ('csharp', 'visualbasic', 'sql')
group by language
order by language
