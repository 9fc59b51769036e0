-- Chunks that are not numbered from 1 by repository, branch, path and line, inline SQL after what it lies in.
with ordered as (
    select
        chunk_no, id,
        row_number() over (
            order by repo, branch, source_file, start_line, file_type = 'inline_sql', chunk_part, node_key
        ) as expected
    from documents
)
select chunk_no, expected, id
from ordered
where chunk_no <> expected
order by expected
