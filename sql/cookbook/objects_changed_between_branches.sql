-- Which tables, procedures, types and members differ between two branches, by their text, and by how many lines.
-- repo, old, new: by default the first repository with two branches, and its first and last branch.
with branches as (
    select repo, min(branch) as first_branch, max(branch) as last_branch
    from snapshots
    where repo = coalesce(getvariable('repo'), repo)
    group by repo
    order by count(*) > 1 desc, repo
    limit 1
)
select node_key, change, lines_added, lines_removed, coalesce(new_file, old_file) as source_file
from object_changes(
    coalesce(getvariable('repo'), (select repo from branches)),
    coalesce(getvariable('old'), (select first_branch from branches)),
    coalesce(getvariable('new'), (select last_branch from branches))
)
where kind <> 'FILE'
order by node_key;
