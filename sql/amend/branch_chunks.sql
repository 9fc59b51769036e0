-- The chunks of the branch as they are now, under the numbers that they have in it.
drop table part.documents;

create view part.documents as
select * replace (chunk_no - getvariable('first_chunk') as chunk_no)
from store.documents
where repo = getvariable('repo') and branch = getvariable('branch');
