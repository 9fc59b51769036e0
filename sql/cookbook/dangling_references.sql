-- What the system names but nothing in the store defines: missing procedures, tables of other scripts, typing errors.
select * from dangling_references
order by all;
