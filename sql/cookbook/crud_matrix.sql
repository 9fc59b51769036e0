-- Who does what to which table: one row per object or type and table, with R for reading and W for writing.
-- What goes through a synonym goes to the table that it stands for; a view has rows of its own.
with synonyms as (
    select from_id, any_value(to_key order by edge_no) as meant_key
    from edges
    where relation = 'SynonymFor'
    group by from_id
),
accesses as (
    select
        regexp_replace(
            case
                when regexp_matches(edge.from_key, '^[a-z]+:.*[.].*[|](METHOD|PROPERTY|FIELD)$')
                then regexp_replace(edge.from_key, '[.][^.]*[|][A-Z]+$', '')
                else split_part(edge.from_key, '|', 1)
            end,
            '^[a-z]+:', ''
        ) as accessor,
        coalesce(synonyms.meant_key, edge.to_key) as table_key,
        case edge.relation when 'ReadsFrom' then 'R' else 'W' end as access
    from edges as edge
    left join synonyms on synonyms.from_id = edge.to_id
    where edge.relation in ('ReadsFrom', 'WritesTo')
)
select accessor, table_key, string_agg(distinct access, '' order by access) as access
from accesses
group by accessor, table_key
order by accessor, table_key;
