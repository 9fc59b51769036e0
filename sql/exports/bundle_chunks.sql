-- Chunks of C# of one repository and branch, in order of lines; without their texts, which are lines of the files.
select
    node_key, object_id, source_file, start_line, end_line, file_type, kind, class, member, member_kind, cs_key,
    signature, project
from documents
where repo = $repo and branch = $branch and starts_with(node_key, 'csharp:')
order by source_file, start_line, chunk_no
