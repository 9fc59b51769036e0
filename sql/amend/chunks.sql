-- Which of a slice of the chunks that are looked at are as they were, but for their numbers; the others.
-- part: build/07_chunk_lists.sql
insert into same_chunks
select own.chunk_no, held.chunk_no
from described_chunks() as own
join store.documents as held using (node_id)
where these_same
    and (held.text = own.text or own.text is null)  -- of files that did not change
    and (  -- else it has a vector since
        held.sign_0 is not null
        or own.chunk_no not in (select chunk_no from numbered_chunks where vector_row is not null)
    );

insert into part.documents by name
select * from described_chunks() where chunk_no not in (select chunk_no from same_chunks);
