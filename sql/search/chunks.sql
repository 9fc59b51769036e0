-- All chunks that the filters leave, in order of repo, branch, path and line, with what a result tells.
select
    chunk.* exclude (
        embedding, metadata_, chunk_no,
        sign_0,  -- per 128 dimensions
        importance_score
    ),
    chunk.importance_score,
    chunk.source_file || ':' || chunk.start_line || '-' || chunk.end_line as location
from documents as chunk
where chunk.chunk_no in (
    -- apart, so that wide columns are read of the chunks that are left only
    select chunk_no
    from documents
    where true -- filters
)
order by chunk.chunk_no
