-- Which tables, procedures, types and members differ between two branches, by their text.
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
texts as (
    select
        documents.branch = asked.old_branch as is_old, node_key,
        md5(string_agg(text, chr(10) order by source_file, start_line)) as text_hash
    from documents
    join asked on documents.repo = asked.repo and documents.branch in (asked.old_branch, asked.new_branch)
    where documents.kind <> 'FILE'
    group by all
),
before as (select node_key, text_hash from texts where is_old),
after as (select node_key, text_hash from texts where not is_old)
select
    node_key,
    case
        when before.text_hash is null then 'added'
        when after.text_hash is null then 'removed'
        else 'changed'
    end as change
from before
full join after using (node_key)
where before.text_hash is distinct from after.text_hash
order by node_key;
