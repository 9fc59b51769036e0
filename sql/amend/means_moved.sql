-- Whether a statistic that all weights depend on has moved by a step, or fields have other parameters than they should.
select 1
from part.fts_fields as own
left join fts_fields as held using (field)
join field_means as mean using (field)
where held.avg_length is distinct from mean.length or held.weight is distinct from own.weight
    or held.b is distinct from own.b
union all
select 1
where steady(getvariable('all_chunks_before'), getvariable('all_chunks_before'))
    <> steady((select count(*) from documents), (select count(*) from documents))
limit 1
