-- How many links there are of each status.
select status, count(*) as links
from map_links
group by status
order by status
