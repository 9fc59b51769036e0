-- Chunks by what they are; a chunk without a kind is not counted under kind.
with pairs as (
    select unnest([
        {'field': 'data_type', 'value': data_type},
        {'field': 'file_class', 'value': file_class},
        {'field': 'kind', 'value': kind}
    ]) as pair
    from documents
)
select pair.field as field, pair.value as value, count(*) as chunks
from pairs
where pair.value is not null
group by all
order by field, chunks desc, value;
