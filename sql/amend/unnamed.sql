-- Chunks in other files of which only the parser knows how they are called: their node is gone, or they stood for their
-- file while they had none, and one has come whose name theirs ends with.
create or replace temp table unnamed_chunks as
with own as (
    select node_id, source_file, object_id, chunk_part, node_key
    from store.documents
    where repo = getvariable('repo') and branch = getvariable('branch')
        and source_file not in (from changed_files)
),
fresh_names as (
    select distinct
        concat(':', lower(regexp_replace(regexp_replace(node_key, '\|[^|]*$', ''), '^[^:]*:', ''))) as name
    from fresh_nodes
    where held_id is null and kind <> 'FILE'
),
nameless as (
    from own
    where exists (from fresh_names)
        and node_key = concat('file:', source_file, '|FILE')
        and not starts_with(object_id, 'file:') and not starts_with(object_id, 'doc:')  -- which are of no node
)
select node_id, source_file, object_id, chunk_part from own semi join gone_nodes using (node_key)
union
select node_id, source_file, object_id, chunk_part
from nameless
semi join fresh_names on ends_with(lower(nameless.object_id), fresh_names.name);
