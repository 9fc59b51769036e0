-- Mean lengths of the fields.
create or replace temp table field_means as
with means as (
    select
        count(*) as chunks,
        unnest(['content', 'parts', 'name', 'path']) as field,
        unnest([avg(content), avg(parts), avg(name), avg(path)]) as length
    from fts_lengths
)
select field, greatest(steady(coalesce(length, 0), chunks), 1e-9) as length from means;
