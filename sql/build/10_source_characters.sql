-- How long the texts of all files are together.
create or replace temp table source_characters as
select coalesce(sum(length(text)), 0) as total from source_documents;
