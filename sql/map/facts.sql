-- What the map says of itself.
select key, value
from map_facts
order by key
