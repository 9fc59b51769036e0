-- Edges that files of one repository and branch show.
select from_key, to_key, relation, source_file, rule, detail
from edges
where repo = $repo and branch = $branch
order by from_key, to_key, relation, rule, detail
