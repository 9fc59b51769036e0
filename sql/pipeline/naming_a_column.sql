-- The texts of what is tied to a table by some relations, as what reads or writes it, in its own chunks or in the one that
-- holds it, and what uses the property of its entity that is called as one of its columns, be it inherited,
-- which names it whatever its text says.
with recursive reading as materialized (
    select distinct links.neighbour_id as node_id
    from links
    join steps using (step)
    where links.node_id in (select unnest($ids::integer[]))
        and list_contains($relations::varchar[], steps.relation) and steps.direction = 'in'
),
class as (
    select mapped.neighbour_id as node_id
    from links as mapped
    join steps as mapping on mapping.step = mapped.step and mapping.relation = 'MapsTo' and mapping.direction = 'in'
    where mapped.node_id in (select unnest($ids::integer[]))
    union
    select inherited.neighbour_id
    from class
    join links as inherited on inherited.node_id = class.node_id
    join steps as inheriting
        on inheriting.step = inherited.step and inheriting.relation = 'Inherits' and inheriting.direction = 'out'
),
property as materialized (
    select distinct member.node_id, member.node_key
    from class
    join links as inside on inside.node_id = class.node_id
    join steps as containing
        on containing.step = inside.step and containing.relation = 'Contains' and containing.direction = 'out'
    join nodes as member on member.node_id = inside.neighbour_id
    where member.kind = 'PROPERTY' and lower(member.name) = lower($column)
),
using_it as materialized (
    select distinct property.node_key as property_key, links.neighbour_id as node_id
    from property
    join links on links.node_id = property.node_id
    join steps on steps.step = links.step and steps.relation = 'Uses' and steps.direction = 'in'
),
source as materialized (
    select distinct
        node.node_key, node.repo, node.branch, node.source_file, node.start_line, node.end_line
    from reading
    join nodes as node using (node_id)
),
own as materialized (
    select source.node_key, chunk.text
    from source
    join documents as chunk using (node_key, repo, branch)
    where chunk.file_type <> 'inline_sql'
),
held as (
    select source.node_key, source.start_line, source.end_line, chunk.start_line as chunk_line, chunk.text
    from source
    join documents as chunk using (repo, branch, source_file)
    where source.start_line between chunk.start_line and chunk.end_line and chunk.file_type <> 'inline_sql'
        and source.node_key not in (select node_key from own)
)
select node_key, null as property_key, null as start_line, null as end_line, null as chunk_line, null as text
from source
union all
select node_key, null, null, null, null, text
from own
union all
select node_key, null, start_line, end_line, chunk_line, text
from held
union all
select node.node_key, using_it.property_key, null, null, null, null
from using_it
join nodes as node using (node_id)
order by all;
