-- Chunks of the branch that are not as they were go.
delete from store.documents
where chunk_no > getvariable('first_chunk') and chunk_no <= getvariable('last_chunk') and chunk_no not in (select live_no from same_chunks);
