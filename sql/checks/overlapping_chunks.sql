-- Chunks that begin before an earlier chunk of the same file ends, inline SQL apart, of which two may share a line.
with ordered as (
    select
        chunk_no, id, source_file, file_type, start_line, end_line,
        max(end_line) over (
            partition by doc_id, file_type = 'inline_sql'
            order by start_line, chunk_no
            rows between unbounded preceding and 1 preceding
        ) as end_before
    from documents
)
select chunk_no, id, source_file, start_line, end_line, end_before
from ordered
where start_line < end_before + if(file_type = 'inline_sql', 0, 1)
order by chunk_no
