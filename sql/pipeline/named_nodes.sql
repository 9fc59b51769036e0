-- Nodes that are called as a question says, for each of its names those that fit it best, at most `top_n`. Members, whose
-- rank is 4, count only for names that are written as code writes them; so do tables and other objects of the database
-- that no file defines, where none is defined that is called so. A schema, whose rank is 5, counts where nothing else
-- is called so.
with asked as materialized (
    select name, is_identifier, name_key(name) as name_key
    from (select unnest($names::varchar[]) as name, unnest($identifiers::boolean[]) as is_identifier)
),
called as (
    select
        asked.name, node.node_key, names.rank, node.is_external,
        not node.is_external and node.data_type = 'db_code' and names.rank < 4 as is_defined_object
    from asked
    join node_names as names using (name_key)
    join nodes as node using (node_id)
    where (not node.is_external or (asked.is_identifier and node.data_type = 'db_code'))
        and node.node_key not like 'file:%' and (names.rank <> 4 or asked.is_identifier)
        and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
),
fitting as (
    select name, node_key, is_external
    from called
    qualify rank = min(rank) over (partition by name, is_external)
        and not (is_external and max(is_defined_object) over (partition by name))
)
select name, node_key
from fitting
group by name, node_key
qualify row_number() over (partition by name order by min(is_external), node_key) <= $top_n
order by name, min(is_external), node_key;
