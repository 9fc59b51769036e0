-- Chunks that are not numbered from 1 in order of repository, branch, path and line.
with ordered as (
    select
        chunk_no, id,
        row_number() over (order by repo, branch, source_file, start_line, chunk_part) as expected
    from documents
)
select chunk_no, expected, id
from ordered
where chunk_no <> expected
order by expected
