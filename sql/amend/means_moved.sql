-- Whether a statistic that all weights depend on has moved by a step.
select 1
from fts_fields
join field_means using (field)
where fts_fields.avg_length <> field_means.length
union all
select 1
where steady(getvariable('chunks_before'), getvariable('chunks_before'))
    <> steady((select count(*) from documents), (select count(*) from documents))
limit 1
