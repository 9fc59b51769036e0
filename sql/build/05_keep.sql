-- What the live file holds of other repositories and branches, and every vector, since it may serve again.
insert into stage.snapshots by name
select repo, branch, commit_sha, root, prepared_at, skipped, problems, fingerprint
from live.snapshots
anti join replaced using (repo, branch);

insert into stage.sources by name
select * exclude (metadata_)
from live.source_documents
anti join replaced using (repo, branch);

insert into stage.chunks by name
select
    * exclude (
        node_id, id, chunk_no, embedding, metadata_,
        sign_0,  -- per 64 dimensions
        reads_from, writes_to, calls, called_by, fk_dependencies, used_by_csharp
    )
from live.documents
anti join replaced using (repo, branch);

insert into stage.embeddings by name
select distinct on (content_hash)
    getvariable('model') as model,
    content_hash,
    sign_0,  -- per 64 dimensions
    embedding
from live.documents
where embedding is not null
    and content_hash not in (select content_hash from stage.embeddings where model = getvariable('model'));
