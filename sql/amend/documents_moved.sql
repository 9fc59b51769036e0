-- Numbers of the chunks that are as they were. A column with an index is only replaced along with its row.
drop index store.documents_chunk_no;

update store.documents
set chunk_no = moved.new_no
from moved_chunks as moved
where moved.old_no = documents.chunk_no;
