-- Branches whose counts of files and chunks are not what is stored, or that no snapshot names.
with files as (
    select repo, branch, count(*) as files from source_documents group by repo, branch
),
chunks as (
    select repo, branch, count(*) as chunks from documents group by repo, branch
)
select
    repo, branch, snapshot.files, coalesce(files.files, 0) as stored_files,
    snapshot.chunks, coalesce(chunks.chunks, 0) as stored_chunks
from snapshots as snapshot
full join files using (repo, branch)
full join chunks using (repo, branch)
where snapshot.files is distinct from coalesce(files.files, 0)
    or snapshot.chunks is distinct from coalesce(chunks.chunks, 0)
order by repo, branch
