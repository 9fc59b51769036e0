-- Rows of the branch in this_table that were kept have their new numbers.
update store.this_table as held set these_new
from kept_rows as kept
where kept.held_row = held.rowid and (these_differ);
