-- The numbers that files had, where some got their first chunks or lost their last ones.
create or replace temp table held_files as
select document.repo, document.branch, document.source_file, any_value(signals.file_no) as held_no
from store.chunk_signals as signals
join store.documents as document using (chunk_no)
group by document.repo, document.branch, document.source_file;
