-- Whether repositories define for each other what they name, so that what changes in one tells of others.
with outside as (
    select repo, lower(regexp_replace(node_key, '\|[^|]*$', '')) as name, is_external
    from store.nodes
    where repo <> getvariable('repo')
),
own as (
    select lower(regexp_replace(node_key, '\|[^|]*$', '')) as name, is_external from stage.nodes
)
select 1
where exists (from store.nodes where definition_id is not null)
    or exists (from own join outside using (name) where own.is_external <> outside.is_external)
