-- What ranks chunks beside their place.
select
    chunk_no, file_no::integer as file_no, name_key::bigint as name_key,
    spelled_key::bigint as spelled_key, member_keys[:200]::bigint[] as member_keys,
    is_member::boolean as is_member, type_head::boolean as type_head, file_class::varchar as file_class,
    class_key::bigint as class_key, centrality::double as centrality, loose_chunks::integer as loose_chunks
from chunk_signals
where chunk_no in (select unnest($chunks::integer[]))
