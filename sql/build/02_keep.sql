-- Files and chunks of the live file of other repositories and branches. Written for the dimension of its vectors.
insert into stage.sources by name
select * exclude (metadata_)
from live.source_documents
anti join replaced using (repo, branch);

insert into stage.chunks by name
select
    * exclude (
        id, chunk_no, embedding, metadata_,
        sign_0,  -- per 128 dimensions
        reads_from, writes_to, calls, called_by, fk_dependencies, used_by_csharp
    )
from live.documents
anti join replaced using (repo, branch);
