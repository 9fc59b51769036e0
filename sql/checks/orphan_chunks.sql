-- Chunks whose file is not stored, or is stored under another repository, branch or path.
select chunk.chunk_no, chunk.id, chunk.repo, chunk.branch, chunk.source_file, chunk.doc_id
from documents as chunk
left join source_documents as source
    on source.doc_id = chunk.doc_id
    and source.repo = chunk.repo
    and source.branch = chunk.branch
    and source.file_path = chunk.source_file
where source.doc_id is null
order by chunk.chunk_no
