-- Links whose two ends are on the map, each pair once with the number of links.
select source_point_no, target_point_no, count(*) as links
from map_links
where source_point_no <> target_point_no
group by source_point_no, target_point_no
order by source_point_no, target_point_no
