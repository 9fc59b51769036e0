-- Chunks whose text is not exactly the lines of the stored file that they name, nor a piece of the one line.
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
),
piece as (
    select chunk.chunk_no
    from documents as chunk
    join source_documents as source using (doc_id)
    where chunk.chunk_no in (from wrong) and chunk.start_line = chunk.end_line
        and contains(string_split(source.text, chr(10))[chunk.start_line], chunk.text)
        and not contains(chunk.text, chr(10))
)
select chunk_no, id, source_file, start_line, end_line
from documents
where chunk_no in (from wrong) and chunk_no not in (from piece)
order by chunk_no
