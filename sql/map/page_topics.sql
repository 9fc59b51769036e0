-- Topics of the map, the largest first.
select topic, name, keywords, coalesce(try_cast(points as integer), 0) as points, x, y
from map_topics
order by topic
