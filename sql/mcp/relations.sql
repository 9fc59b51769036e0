-- How many edges of each relation the graph has.
select relation, count(*) as edges
from edges
group by relation
order by edges desc, relation;
