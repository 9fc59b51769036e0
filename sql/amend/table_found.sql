-- Which rows of the branch in this_table are as they were, but for their numbers. Others go. Python puts in the names,
-- what tells a row, and how numbers move.
create or replace temp table kept_rows as
select own.rowid as own_row, held.rowid as held_row these_free
from part.this_table as own
join store.this_table as held on these_same
where is_own;

delete from kept_rows  -- which stand there twice
where own_row in (select own_row from kept_rows group by own_row having count(*) > 1)
    or held_row in (select held_row from kept_rows group by held_row having count(*) > 1);

delete from store.this_table as held
where is_own and rowid not in (select held_row from kept_rows);
