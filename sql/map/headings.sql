-- First lines of the sections of Markdown files, which anchors of links name.
select chunk.doc_id, chunk.start_line, chunk.element_name as title
from documents as chunk
join source_documents as file using (doc_id)
where file.language = 'markdown'
    and chunk.element_type = 'section'
    and chunk.chunk_part = 0
order by chunk.doc_id, chunk.start_line
