-- What differs between two branches of a repository: files that were added, removed or changed.
-- repo, old, new: by default the first repository with two branches, and its first and last branch.
with branches as (
    select repo, min(branch) as first_branch, max(branch) as last_branch
    from snapshots
    where repo = coalesce(getvariable('repo'), repo)
    group by repo
    order by count(*) > 1 desc, repo
    limit 1
)
select file_path, change
from file_changes(
    coalesce(getvariable('repo'), (select repo from branches)),
    coalesce(getvariable('old'), (select first_branch from branches)),
    coalesce(getvariable('new'), (select last_branch from branches))
)
order by file_path;
