-- Chunks with a vector although the store has no model or their file class gets none.
select chunk_no, id, file_class
from documents
where embedding is not null
    and (
        file_class in ('generated', 'vendored')
        or 'none' in (select value from ragduck_meta where key = 'embedding_model')
    )
order by chunk_no
