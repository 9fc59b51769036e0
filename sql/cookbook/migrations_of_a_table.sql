-- What was done to a table, migration by migration.
-- object: a table, or the entity that maps to it, by default all of them; one that the store does not have is an error.
with asked as (
    select node_key
    from nodes
    where node_id in (select unnest(table_ids(getvariable('object'), null, null)))
)
select table_key, version, operation, detail, migration, source_file, line
from table_history
where getvariable('object') is null or table_key in (select node_key from asked)
order by table_key, repo, branch, change_no;
