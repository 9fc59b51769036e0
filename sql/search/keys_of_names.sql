-- The keys that names may stand for, each of them: whole keys themselves, names in full, else ends of names.
with asked as (
    select
        written, key_name(written) as name, upper(split_part(written, '|', 2)) as kind,
        case regexp_extract(written, '^(\w+):($|[^:])', 1)
            when '' then ''
            when 'sql' then ''
            when 'cs' then 'csharp:'
            else split_part(written, ':', 1) || ':'
        end as language
    from (select unnest($names::varchar[]) as written)
),
called as (
    select asked.written, node.node_key, least(names.rank, $widest) as closeness
    from (from asked union all by name select * replace (written as name) from asked) as asked
    join node_names as names on names.name_key = name_key(asked.name)
    join nodes as node on node.node_id = names.node_id
    where node.data_type = coalesce($data_type, node.data_type) and starts_with(node.node_key, asked.language)
        and (asked.kind in ('', node.kind, node.role) or asked.kind = 'TABLE_OR_VIEW' and node.kind in ('TABLE', 'VIEW'))
)
select coalesce(list(distinct node_key), [])
from (from called qualify closeness = min(closeness) over (partition by written))
