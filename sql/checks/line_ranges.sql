-- Chunks whose text is not exactly the lines of the stored file that they name.
with file_lines as (
    select
        hash(doc_id) as file, unnest(string_split(text, chr(10))) as line,
        generate_subscripts(string_split(text, chr(10)), 1) as line_no
    from source_documents
),
chunk_lines as (
    select
        chunk_no, hash(doc_id) as file, unnest(string_split(text, chr(10))) as line,
        start_line - 1 + generate_subscripts(string_split(text, chr(10)), 1) as line_no
    from documents
    where doc_id in (select doc_id from source_documents)
),
-- Lines are compared by hash: joining millions of texts takes seconds.
hashed as (
    select chunk_no, hash(file, line_no, line) as line_hash from chunk_lines
),
wrong as (
    select chunk_no
    from hashed
    anti join (select hash(file, line_no, line) as line_hash from file_lines) using (line_hash)
    union
    select chunk_no
    from documents
    where len(string_split(text, chr(10))) <> end_line - start_line + 1
)
select chunk_no, id, source_file, start_line, end_line
from documents
where chunk_no in (from wrong)
order by chunk_no
