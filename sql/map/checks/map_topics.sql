-- Topics of the map whose points do not add up, and points of topics that are not there.
select topic, topics.points as recorded, counted.points as found
from map_topics as topics
full join (
    select topic, count(*) as points from map_points where topic is not null group by topic
) as counted using (topic)
where topics.points is distinct from counted.points
order by topic
