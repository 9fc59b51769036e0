-- What the graph tells of a slice of the chunks.
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

-- These chunks with all that is told of them but their vectors.
create or replace temp macro described_chunks() as table
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
    listed.*
from stage.chunks as chunk
join numbered_chunks as numbered on numbered.row_id = chunk.rowid
join chunk_places as place on place.chunk_no = numbered.chunk_no
join chunk_lists as listed on listed.chunk_no = numbered.chunk_no
left join numbered_nodes as node on node.node_id = place.node_id
where numbered.chunk_no >= getvariable('low') and numbered.chunk_no < getvariable('high');
