-- Which of some nodes are tables or views.
select node_id
from nodes
where node_id in (select unnest($ids::integer[])) and kind in ('TABLE', 'VIEW');
