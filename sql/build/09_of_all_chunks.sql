-- What signals of a chunk take from all chunks: numbers of files, and names of types, tables and views.
create or replace temp table file_numbers as
select repo, branch, source_file, row_number() over (order by min(chunk_no))::integer as file_no
from documents
group by repo, branch, source_file;

create or replace temp table type_names as
select distinct repo, branch, fold(regexp_replace(name, '[`<(].*$', '')) as name
from documents
where kind in ('TYPE', 'TABLE', 'VIEW');
