-- For each path and line the chunk that holds it, of several the shortest; between chunks, the nearest.
with place as (
    select unnest($paths::varchar[]) as source_file, unnest($lines::integer[]) as line
)
select chunk.chunk_no
from (
    select chunk_no, repo, branch, source_file, start_line, end_line
    from documents
    where source_file in (select unnest($paths::varchar[]))
        and true -- filters
) as chunk
join place using (source_file)
qualify row_number() over (
    partition by repo, branch, source_file, line
    order by greatest(start_line - line, line - end_line, 0), end_line - start_line, chunk_no
) = 1
