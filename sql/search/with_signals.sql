-- The hits of one side with what ranks them beside their place, in no order. Types
-- are those that are bound, and a store may come from anyone.
select
    hit.*, signal.file_no::integer as file_no, signal.name_key::bigint as name_key,
    signal.spelled_key::bigint as spelled_key, signal.member_keys[:200]::bigint[] as member_keys,
    signal.is_member::boolean as is_member, signal.type_head::boolean as type_head, signal.file_class::varchar as file_class,
    signal.class_key::bigint as class_key, signal.centrality::double as centrality,
    signal.loose_chunks::integer as loose_chunks
from (
    -- side
) as hit
join chunk_signals as signal using (chunk_no)
