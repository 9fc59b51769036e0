-- Added nodes in branches that are about to be replaced.
select repo, branch, count(*) as nodes
from live.documents
semi join replaced using (repo, branch)
where element_type = 'node' and starts_with(object_id, 'node:')
group by all
limit 1;
