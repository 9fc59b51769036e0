-- What keeps a store from being amended: chunks without vectors, or relations that ragduck does not know.
select 'vectors' as reason
where getvariable('model') <> 'none'
    and exists (
        from store.documents
        where sign_0 is null and file_class not in ('generated', 'vendored')
    )
union all
select 'relations'
where exists (from stage.edges where relation not in (select relation from store.relations where description <> ''))
    or exists (from store.relations where description = '')
limit 1
