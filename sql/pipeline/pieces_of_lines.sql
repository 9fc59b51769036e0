-- Chunks that are a piece of a long line, with the columns between which they lie in it; none for whole lines.
with chunk as materialized (
    select node_id, doc_id, start_line, text
    from documents
    where node_id in (select unnest($node_ids::varchar[])) and start_line = end_line
),
placed as (
    select chunk.node_id, chunk.text, string_split(source.text, chr(10))[chunk.start_line] as line
    from chunk
    join source_documents as source using (doc_id)
)
select
    node_id,
    strpos(line, text) - 1 as begins_at,
    nullif(strpos(line, text) - 1 + length(text), length(line)) as ends_at  -- null at the end of the line
from placed
where text <> line and contains(line, text);
