-- Which branches there are of each repository.
select repo, list(branch order by branch) as branches
from snapshots
group by repo
order by repo;
