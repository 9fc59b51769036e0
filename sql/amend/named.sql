-- How the parser called these chunks.
create or replace temp table named_chunks as
select unnamed.node_id, parsed.node_key, parsed.kind
from unnamed_chunks as unnamed
join parsed_chunks as parsed using (source_file, object_id, chunk_part);
