-- What ranks a chunk and is its own, of all chunks in order, for those who hold it in memory. Types are what arrays
-- are made of, and a store may come from anyone.
select
    chunk_no::integer as chunk_no, file_no::integer as file_no, name_key::bigint as name_key,
    spelled_key::bigint as spelled_key,
    member_keys[:200]::bigint[] as member_keys, is_member::boolean as is_member, type_head::boolean as type_head
from chunk_signals
where chunk_no is not null
    and file_no is not null
order by 1
