-- Chunks of C# and SQL of one repository and branch, in order of lines; their texts are lines of the files, so that
-- the pieces of a long line count as one.
select
    node_key, object_id, source_file, start_line, end_line, file_type, kind, class, member, member_kind, cs_key,
    signature, project, element_type
from documents
where repo = $repo and branch = $branch and (starts_with(node_key, 'csharp:') or file_type = 'sql')
qualify row_number() over (partition by source_file, start_line, end_line, object_id, file_type order by chunk_no) = 1
order by source_file, start_line, chunk_no
