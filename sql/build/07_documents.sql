-- Chunks with their vectors and with what the graph tells of them, a slice of the chunks.
create or replace temp table chunk_lists as
with entries as (
    select distinct chunk_no, list, node.node_key as entry
    from chunk_nodes
    join node_entries using (node_id)
    join numbered_nodes as node on node.node_id = node_entries.entry_id
    where chunk_no >= getvariable('low') and chunk_no < getvariable('high')
    union all
    select chunk_no, null, null
    from chunk_places
    where chunk_no >= getvariable('low') and chunk_no < getvariable('high')
)
select
    chunk_no,
    coalesce(list(entry order by entry) filter (where list = 'reads_from'), []) as reads_from,
    coalesce(list(entry order by entry) filter (where list = 'writes_to'), []) as writes_to,
    coalesce(list(entry order by entry) filter (where list = 'calls'), []) as calls,
    coalesce(list(entry order by entry) filter (where list = 'called_by'), []) as called_by,
    coalesce(list(entry order by entry) filter (where list = 'fk_dependencies'), []) as fk_dependencies,
    coalesce(list(entry order by entry) filter (where list = 'used_by_csharp'), []) as used_by_csharp
from entries
group by chunk_no;

-- With a row for chunks that have no vector: DuckDB 2.0.0 reads garbage where an array is null after a left join.
create or replace temp table chunk_vectors as
with numbered as (
    select chunk_no, vector_row
    from numbered_chunks
    where chunk_no >= getvariable('low') and chunk_no < getvariable('high')
)
select
    numbered.chunk_no,
    vector.sign_0::bit::hugeint as sign_0,  -- per 128 dimensions
    vector.embedding
from saved.embeddings as vector
join numbered on numbered.vector_row = vector.rowid
union all by name
select
    chunk_no,
    null::hugeint as sign_0,  -- per 128 dimensions
    null::float[64] as embedding
from numbered
where vector_row is null;

insert into documents by name
select
    chunk.* exclude (embedding_text) replace (
        if(
            chunk.llamaindex_node is null,
            md5(concat_ws(chr(31), repo, branch, source_file, object_id, chunk_part)),
            chunk.node_id
        ) as node_id,
        coalesce(node.node_key, chunk.node_key) as node_key,
        coalesce(place.renamed_kind, chunk.kind) as kind
    ),
    object_id || if(numbered.is_first, '', '@' || source_file) || ':part=' || chunk_part as id,
    listed.*,
    vector.sign_0,  -- per 128 dimensions
    vector.embedding
from stage.chunks as chunk
join numbered_chunks as numbered on numbered.row_id = chunk.rowid
join chunk_places as place on place.chunk_no = numbered.chunk_no
join chunk_lists as listed on listed.chunk_no = numbered.chunk_no
join chunk_vectors as vector on vector.chunk_no = numbered.chunk_no
left join numbered_nodes as node on node.node_id = place.node_id
where numbered.chunk_no >= getvariable('low') and numbered.chunk_no < getvariable('high')
order by numbered.chunk_no;
