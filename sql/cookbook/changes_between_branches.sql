-- What differs between two branches of a repository: files that were added, removed or changed.
-- repo, old, new: by default the first repository with two branches, and its first and last branch.
with branches as (
    select repo, min(branch) as first_branch, max(branch) as last_branch
    from snapshots
    where repo = coalesce(getvariable('repo'), repo)
    group by repo
    having count(*) > 1
    order by repo
    limit 1
),
asked as (
    select
        repo,
        coalesce(getvariable('old'), first_branch) as old_branch,
        coalesce(getvariable('new'), last_branch) as new_branch
    from branches
),
before as (
    select file_path, content_hash
    from source_documents join asked on source_documents.repo = asked.repo and branch = old_branch
),
after as (
    select file_path, content_hash
    from source_documents join asked on source_documents.repo = asked.repo and branch = new_branch
)
select
    file_path,
    case
        when before.content_hash is null then 'added'
        when after.content_hash is null then 'removed'
        else 'changed'
    end as change
from before
full join after using (file_path)
where before.content_hash is distinct from after.content_hash
order by file_path;
