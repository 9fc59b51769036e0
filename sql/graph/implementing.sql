-- Which of some nodes implement or override each other.
select from_id, to_id
from edges
where relation = 'Implements'
    and from_id in (select unnest($ids::integer[])) and to_id in (select unnest($ids::integer[]));
