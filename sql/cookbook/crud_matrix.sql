-- Who does what to which table: one row per object or type and table, with R for reading and W for writing.
with accesses as (
    select
        regexp_replace(
            case
                when from_key like '%.%|METHOD' then regexp_replace(from_key, '\.[^.]*\|METHOD$', '')
                else split_part(from_key, '|', 1)
            end,
            '^[a-z]+:', ''
        ) as accessor,
        to_key as table_key,
        case relation when 'ReadsFrom' then 'R' else 'W' end as access
    from edges
    where relation in ('ReadsFrom', 'WritesTo')
)
select accessor, table_key, string_agg(distinct access, '' order by access) as access
from accesses
group by accessor, table_key
order by accessor, table_key;
