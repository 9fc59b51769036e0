-- The files that chunks were cut from, each path once.
select distinct source_file
from documents
order by source_file;
