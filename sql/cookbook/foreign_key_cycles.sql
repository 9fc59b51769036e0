-- Tables whose foreign keys lead back to themselves: what cannot be filled or emptied in one order.
with recursive keys as (
    select distinct from_key, to_key from edges where relation = 'ForeignKey'
),
paths as (
    select from_key as start_key, to_key as end_key, [from_key] as path from keys
    union all
    select paths.start_key, keys.to_key, list_append(paths.path, keys.from_key)
    from paths
    join keys on keys.from_key = paths.end_key
    where paths.end_key <> paths.start_key
        and not list_contains(paths.path, paths.end_key)
        and keys.from_key > paths.start_key
        and len(paths.path) < 6
)
select len(path) as tables, array_to_string(list_append(path, start_key), ' -> ') as cycle
from paths
where end_key = start_key
order by tables, cycle;
