-- Ways to go on from a node, with the names that people give them.
select
    steps.step, steps.relation, steps.direction, steps.is_impact, relations.edges,
    list(relation_aliases.alias order by relation_aliases.alias) as aliases
from steps
join relations using (relation)
join relation_aliases using (relation)
group by all
order by steps.step;
