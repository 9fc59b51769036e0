-- Chunks of C# and SQL of one repository and branch, in order of lines; their texts are lines of the files.
select
    node_key, object_id, source_file, start_line, end_line, file_type, kind, class, member, member_kind, cs_key,
    signature, project, element_type
from documents
where repo = $repo and branch = $branch and (starts_with(node_key, 'csharp:') or file_type = 'sql')
order by source_file, start_line, chunk_no
