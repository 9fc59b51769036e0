-- Files with their text, a slice of them.
insert into source_documents by name
select source.*
from stage.sources as source
join numbered_sources as numbered on numbered.row_id = source.rowid
where numbered.source_no >= getvariable('low') and numbered.source_no < getvariable('high')
order by numbered.source_no;
