-- Fields whose average length is not that of the chunks.
with means as (
    select
        count(*) as chunks,
        unnest(['content', 'parts', 'name', 'path']) as field,
        unnest([avg(content), avg(parts), avg(name), avg(path)]) as mean
    from fts_lengths
)
select field, fields.avg_length, means.mean
from fts_fields as fields
full join means using (field)
where not abs(fields.avg_length - greatest(steady(coalesce(means.mean, 0), means.chunks), 1e-9)) <= 1e-6
    or fields.field is null
    or means.field is null
order by field
