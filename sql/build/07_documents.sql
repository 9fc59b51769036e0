-- Chunks with their vectors and with what the graph tells of them.
-- Two inner joins rather than one left join: DuckDB 2.0.0 reads garbage where an array is null after a left join.
insert into documents by name
with chunks as (
    select
        if(
            chunk.llamaindex_node is null,
            md5(concat_ws(chr(31), repo, branch, source_file, object_id, chunk_part)),
            chunk.node_id
        ) as node_id,
        chunk.* exclude (embedding_text, node_id) replace (listed.node_key as node_key, listed.kind as kind),
        numbered.chunk_no, numbered.id, numbered.embedded_hash,
        listed.reads_from, listed.writes_to, listed.calls, listed.called_by, listed.fk_dependencies,
        listed.used_by_csharp
    from stage.chunks as chunk
    join numbered using (repo, branch, source_file, object_id, chunk_part)
    join chunk_lists as listed on listed.chunk_no = numbered.chunk_no
)
select
    chunks.* exclude (embedded_hash),
    vector.sign_0::bit::hugeint as sign_0,  -- per 128 dimensions
    vector.embedding
from chunks
join saved.embeddings as vector
    on vector.content_hash = chunks.embedded_hash and vector.model = getvariable('model')
union all by name
select
    * exclude (embedded_hash),
    null::hugeint as sign_0,  -- per 128 dimensions
    null::float[64] as embedding
from chunks
where embedded_hash is null
order by chunk_no;

drop table numbered;
drop table chunk_lists;
