-- Rows of the branch in this_table that are new.
insert into store.this_table
select * replace (these_numbers)
from part.this_table as own
where rowid not in (select own_row from kept_rows)
order by these_keys;

drop table kept_rows;
