-- Nodes of one repository and branch under the keys that RoslynIndexer writes: an entity by its simple name, a DbSet
-- by context and property, unless two would be called the same.
with
named as (
    select
        node_key, kind, role, name, schema, source_file, is_external,
        if(schema is null, regexp_extract(node_key, '^([a-z]+):', 1), '') as language,
        regexp_extract(node_key, '^[a-z]+:(.*)\|[^|]*$', 1) as full_name
    from nodes
    where repo = getvariable('exported_repo') and branch = getvariable('exported_branch')
),

keyed as (
    select
        *,
        language <> '' and kind = 'TYPE' and coalesce(role = 'ENTITY', false) as is_entity,
        case
            when is_entity then concat(language, ':', name, '|ENTITY')
            when language <> '' and kind = 'DBSET'
                then concat(language, ':', regexp_extract(full_name, '[^.]*\.[^.]*$'), '|DBSET')
            else node_key
        end as short_key,
        if(is_entity, concat(language, ':', full_name, '|ENTITY'), node_key) as long_key
    from named
)

select
    node_key,
    if(count(*) over (partition by short_key) = 1, short_key, long_key) as roslyn_key,
    if(is_entity, 'ENTITY', kind) as kind,
    if(language <> '' and kind = 'METHOD', full_name, name) as name,
    if(language in ('', 'file'), coalesce(schema, ''), language) as schema,
    coalesce(source_file, '') as file,
    case
        when is_external then '(external)'
        when node_key in (
            select from_key
            from edges
            where rule = 'inline sql'
                and repo = getvariable('exported_repo')
                and branch = getvariable('exported_branch')
        ) then 'code-inline-sql'
        when language not in ('', 'file') then 'code'
        when contains(source_file, '/') then split_part(source_file, '/', 1)
        else ''
    end as domain
from keyed
order by roslyn_key
