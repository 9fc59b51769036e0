-- What keeps a store from being amended: chunks in other files of which only the node tells how they are called, or whose
-- node was gone meanwhile, chunks without vectors, or relations that ragduck does not know.
select 'chunks of nodes that are gone' as reason
where exists (
    from store.documents
    where repo = getvariable('repo') and branch = getvariable('branch')
        and node_key in (select node_key from gone_nodes)
        and source_file not in (from changed_files)
)
union all
select 'chunks of nodes that are back'  -- which stood for their file meanwhile, under its name
where exists (
    from store.documents
    where repo = getvariable('repo') and branch = getvariable('branch')
        and node_key = concat('file:', source_file, '|FILE') and kind <> 'FILE'
        and lower(name) in (select lower(name) from fresh_nodes where held_id is null)
        and source_file not in (from changed_files)
)
union all
select 'vectors'
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
