-- As of when one repository and branch is: the time of its newest file, else that of prepare.
select coalesce(max(nullif(source.mtime, timestamp '1970-01-01')), any_value(snapshot.prepared_at)) as made
from snapshots as snapshot
left join source_documents as source using (repo, branch)
where snapshot.repo = $repo and snapshot.branch = $branch
