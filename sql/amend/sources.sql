-- Files of the branch: those that are not as they were give way to what was read.
create or replace temp table same_sources as
select doc_id
from (
    select * exclude (text, created_at) from stage.sources
    intersect
    select * exclude (text, created_at, metadata_)
    from store.source_documents
    where repo = getvariable('repo') and branch = getvariable('branch')
)
join stage.sources as own using (doc_id)
join store.source_documents as held using (doc_id)
where own.text = held.text;

delete from store.source_documents
where repo = getvariable('repo') and branch = getvariable('branch') and doc_id not in (from same_sources);

insert into store.source_documents by name
select * from stage.sources where doc_id not in (from same_sources) order by file_path;

drop table same_sources;
