-- Files that changed, with their texts. What was read of others is as the store has it.
delete from stage.sources where file_path not in (from changed_files);

delete from stage.chunks where source_file not in (from changed_files);

delete from store.source_documents
where repo = getvariable('repo') and branch = getvariable('branch') and file_path in (from changed_files);

insert into store.source_documents by name select * from stage.sources order by file_path;

drop table stage.sources;
