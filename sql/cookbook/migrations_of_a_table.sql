-- What was done to a table, migration by migration.
-- object: a table; by default all tables.
select table_key, version, operation, detail, migration, source_file, line
from table_history
where getvariable('object') is null
    or table_key in (select node_key from node_of(getvariable('object')))
order by table_key, version nulls first, source_file, line, operation, detail;
