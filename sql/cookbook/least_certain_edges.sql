-- Audit: the edges that rest on the weakest evidence, with the line to look at.
select confidence, rule, relation, from_key, to_key, source_file, line, snippet
from edges
where confidence < 0.9
order by confidence, rule, from_key, to_key, relation
limit 100;
