-- Files that changed, with their texts. What was read of others is as the store has it.
delete from stage.sources where file_path not in (from changed_files);

delete from stage.chunks where source_file not in (from changed_files);

create or replace temp table source_characters as
select sum(characters) as total
from (
    select value::hugeint as characters from store.embedding_metadata where key = 'source_total_characters'
    union all
    select -length(text)
    from store.source_documents
    where repo = getvariable('repo') and branch = getvariable('branch') and file_path in (from changed_files)
    union all
    select length(text) from stage.sources
);

delete from store.source_documents
where repo = getvariable('repo') and branch = getvariable('branch') and file_path in (from changed_files);

insert into store.source_documents by name select * from stage.sources order by file_path;

drop table stage.sources;
