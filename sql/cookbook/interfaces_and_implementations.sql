-- Interfaces with the types that implement them; those with several come first.
select
    edge.to_key as interface_key,
    count(distinct edge.from_key) as implementations,
    list(distinct edge.from_key order by edge.from_key) as implemented_by
from edges as edge
where edge.relation = 'Implements' and edge.to_key like '%|TYPE'
group by edge.to_key
order by implementations desc, interface_key;
