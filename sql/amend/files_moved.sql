-- Numbers of files, where some got their first chunks or lost their last ones. Those of this branch are looked at next.
create or replace temp table moved_files as
select held.held_no, own.file_no
from held_files as held
left join file_numbers as own using (repo, branch, source_file);

update store.chunk_signals
set file_no = numbered.file_no
from (
    select chunk.chunk_no, own.file_no
    from store.documents as chunk
    join file_numbers as own using (repo, branch, source_file)
) as numbered
where numbered.chunk_no = chunk_signals.chunk_no and numbered.file_no <> chunk_signals.file_no;

delete from store.file_terms where file_no in (select held_no from moved_files where file_no is null);

update store.file_terms
set file_no = moved.file_no
from moved_files as moved
where moved.held_no = file_terms.file_no and moved.file_no <> moved.held_no;

delete from file_numbers where (repo, branch) <> (getvariable('repo')::varchar, getvariable('branch')::varchar);

drop table moved_files;
drop table held_files;
