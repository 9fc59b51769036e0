-- Files that were not read again, with the texts that the live file has of them under any name.
insert into stage.sources by name
with held as (
    select content_hash, min(rowid) as row_id
    from live.source_documents
    where content_hash in (select content_hash from known)
    group by content_hash
)
select known.*, source.text
from known
join held using (content_hash)
join live.source_documents as source on source.rowid = held.row_id;
