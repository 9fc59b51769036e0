-- What ranks a chunk and is its own, of all chunks in order, for those who hold it in memory.
select chunk_no, file_no, name_key, is_member, type_head
from chunk_signals
order by chunk_no
