-- Rows of later branches in this_table have other numbers.
update store.this_table as held set these_moves where is_later;
