-- Chunks of the live file of other repositories and branches, without their texts.
insert into stage.chunks by name
select
    * exclude (
        id, chunk_no, text, embedding, metadata_,
        sign_0,  -- per 128 dimensions
        reads_from, writes_to, calls, called_by, fk_dependencies, used_by_csharp
    )
from live.documents
anti join replaced using (repo, branch);
