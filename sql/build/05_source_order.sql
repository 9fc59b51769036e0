-- Files in their final order, as numbers.
create or replace temp table numbered_sources as
select row_number() over (order by repo, branch, file_path)::integer as source_no, rowid as row_id
from stage.sources;
