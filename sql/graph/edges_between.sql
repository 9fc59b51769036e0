-- Edges of some relations between nodes, with their evidence; the keys of both ends are those of the nodes.
select
    edge_no, from_id, to_id, relation, repo, branch, source_file, line, snippet, rule, confidence, detail, sites
from edges
where from_id in (select unnest($ids::integer[]))
    and to_id in (select unnest($ids::integer[]))
    and list_contains($relations::varchar[], relation);
