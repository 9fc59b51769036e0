-- Where the chunks of nodes are, by number: reading their texts with them would read those of all chunks.
with asked as materialized (
    select distinct unnest($keys::varchar[]) as asked_key
)
select asked.asked_key, chunk.chunk_no, chunk.doc_id, chunk.source_file, chunk.start_line
from documents as chunk
join asked on chunk.node_key = asked.asked_key
where chunk.file_type <> 'inline_sql'  -- its lines are those of the member, too
    and chunk.repo = coalesce($repo, chunk.repo) and chunk.branch = coalesce($branch, chunk.branch);
