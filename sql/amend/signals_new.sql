-- What ranks these chunks; what is as it was stays, but for numbers.
create or replace temp table kept_signals as
select held.rowid as held_row, own.rowid as own_row
from part.chunk_signals as own
join same_chunks as same using (chunk_no)
join store.chunk_signals as held on held.chunk_no = same.live_no
where held.name_key is not distinct from own.name_key and held.spelled_key is not distinct from own.spelled_key
    and held.member_keys is not distinct from own.member_keys
    and held.is_member = own.is_member and held.type_head = own.type_head and held.file_class = own.file_class
    and held.class_key = own.class_key and held.centrality = own.centrality and held.loose_chunks = own.loose_chunks;

delete from store.chunk_signals
where chunk_no in (from gone_chunks union all select live_no from same_chunks)
    and rowid not in (select held_row from kept_signals);

update store.chunk_signals
set chunk_no = moved.new_no
from moved_chunks as moved
where moved.old_no = chunk_signals.chunk_no;

insert into store.chunk_signals
from part.chunk_signals
where rowid not in (select own_row from kept_signals)
    and chunk_no in (select chunk_no from store.documents semi join looked_at using (repo, branch, source_file))
order by chunk_no;

drop table kept_signals;
