-- Chunks that are not as they were go.
delete from store.documents where chunk_no in (from gone_chunks);
