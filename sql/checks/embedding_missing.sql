-- Chunks without a vector although their file class gets one.
select chunk_no, id, file_class
from documents
where embedding is null
    and file_class not in ('generated', 'vendored')
    and 'none' not in (select value from ragduck_meta where key = 'embedding_model')
order by chunk_no
