-- What tells of objects of the database that no script defines, best first: the entity that a table is made from, else what
-- reads, writes or changes it, code before tests.
with asked as materialized (
    select distinct written, name_key(written) as name_key
    from (select unnest($keys::varchar[]) as written)
),
object as materialized (
    select node.node_id, node.node_key, node.kind, node.schema, node.name
    from asked
    join node_names as names on names.name_key = asked.name_key and names.rank = 1
    join nodes as node on node.node_id = names.node_id and node.node_key = asked.written
    where node.data_type = 'db_code'
        and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
),
told as (
    select
        object.node_key, object.kind, object.schema, object.name, teller.node_key as told_by,
        max(teller.role is not distinct from 'TEST') as is_test,
        max(teller.kind = 'TYPE' and steps.relation = 'MapsTo') as is_entity, max(links.weight) as weight
    from object
    join links on links.node_id = object.node_id
    join steps on steps.step = links.step
    join nodes as teller on teller.node_id = links.neighbour_id
    where not teller.is_external and teller.kind <> 'FILE'
    group by all
)
select
    node_key, kind, schema, name, told_by, is_entity,
    row_number() over (partition by node_key order by is_test, is_entity desc, weight desc, told_by) as place
from told
qualify place <= $top_n
order by node_key, place;
