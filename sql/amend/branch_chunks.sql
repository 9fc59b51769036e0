-- The chunks that were looked at as they are now, under the numbers that they have among these.
drop table part.documents;

create view part.documents as
select * replace (chunk_no - getvariable('first_chunk') as chunk_no)
from store.documents
where chunk_no > getvariable('first_chunk') and chunk_no <= getvariable('last_chunk') + getvariable('more_chunks');
