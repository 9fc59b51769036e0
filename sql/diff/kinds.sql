-- Which kinds of objects the store has.
select distinct kind from nodes where not is_external order by kind;
