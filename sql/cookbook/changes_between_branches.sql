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
)
select file_path, change
from file_changes(
    (select repo from branches),
    (select coalesce(getvariable('old'), first_branch) from branches),
    (select coalesce(getvariable('new'), last_branch) from branches)
)
order by file_path;
