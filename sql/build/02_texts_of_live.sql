-- What the texts that were embedded are made of, each content once: the store keeps only their hashes.
select content_hash, element_type, element_name, object_id, text, llamaindex_node
from live.documents
where chunk_no in (
    select min(chunk_no)
    from live.documents
    where file_class not in ('generated', 'vendored')
        and content_hash not in (select content_hash from saved.embeddings where model = $model)
    group by content_hash
)
order by chunk_no;
