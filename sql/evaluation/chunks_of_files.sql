-- The chunks of some files, with their lines.
select source_file, node_id, start_line, end_line
from documents
where source_file in (select unnest($paths::varchar[]))
order by source_file, start_line, node_id;
