-- Which names no node bears, and of which their owner is one: `ending` are the last two parts of each, `owner` what stands
-- before the last. Of a table no members are known, so that names behind it may be columns.
with asked as materialized (
    select name, name_key(name) as name_key, name_key(ending) as ending_key, name_key(owner) as owner_key
    from (
        select
            unnest($names::varchar[]) as name, unnest($endings::varchar[]) as ending, unnest($owners::varchar[]) as owner
    )
),
owning as (
    select
        asked.name, bool_or(node.kind in ('TABLE', 'VIEW')) as has_columns, bool_or(not node.is_external) as is_defined
    from asked
    join node_names as names on names.name_key = asked.owner_key
    join nodes as node using (node_id)
    where node.kind in ('TABLE', 'VIEW', 'TYPE')
    group by asked.name
)
select asked.name, coalesce(owning.is_defined and not owning.has_columns, false) as has_owner
from asked
left join owning using (name)
where asked.name_key not in (select name_key from node_names)
    and asked.ending_key not in (select name_key from node_names)
    and not coalesce(owning.has_columns, false)
order by asked.name;
