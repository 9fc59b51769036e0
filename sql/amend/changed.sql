-- How many chunks of the branch lie in files that are new, gone or not as they were, and how many the store has.
with same as (
    select own.file_path
    from stage.sources as own
    join store.source_documents as known using (doc_id, content_hash)
)
select
    (
        select count(*)
        from store.documents
        where repo = getvariable('repo') and branch = getvariable('branch') and source_file not in (from same)
    )
    + (select count(*) from stage.chunks where source_file not in (from same)) as changed,
    (select count(*) from store.documents) as chunks,
    (
        select coalesce(max(greatest(coalesce(try_cast(value as bigint), 1_000_000_000), 0)), 0)
        from store.ragduck_meta
        where key = 'amended_chunks'
    ) as amended
