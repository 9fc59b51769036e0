-- Chunks that begin before an earlier chunk of the same file ends, inline SQL apart, of which two may share a line.
-- So may pieces of one line, which together are no longer than it.
with line_pieces as materialized (
    select chunk.doc_id, chunk.start_line
    from documents as chunk
    join source_documents as source using (doc_id)
    where chunk.start_line = chunk.end_line and chunk.file_type <> 'inline_sql'
    group by chunk.doc_id, chunk.start_line
    having count(*) > 1
        and sum(length(chunk.text)) <= length(string_split(any_value(source.text), chr(10))[chunk.start_line])
),
ordered as (
    select
        chunk_no, id, doc_id, source_file, file_type, start_line, end_line,
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
    and not (end_before = start_line and (doc_id, start_line) in (from line_pieces))
order by chunk_no
