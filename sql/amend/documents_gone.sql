-- Chunks of the branch that are not as they were go.
delete from store.documents
where repo = getvariable('repo') and branch = getvariable('branch') and chunk_no not in (select live_no from same_chunks);
