-- Tables and indexes of a store that are not as this ragduck makes them, which `part` tells, and views and types that only
-- one of both has. How a view was written is told otherwise once it comes from a file.
with objects as (
    select database_name, 'table' as kind, concat_ws('.', schema_name, table_name) as name, sql as definition
    from duckdb_tables()
    union all
    select database_name, 'index', index_name, sql from duckdb_indexes()
    union all
    select database_name, 'view', concat_ws('.', schema_name, view_name), null from duckdb_views()
    union all
    select database_name, 'type', concat_ws('.', schema_name, type_name), null from duckdb_types() where not internal
)
select kind, name
from objects
where database_name in ('part', 'store')
group by kind, name, definition
having count(distinct database_name) = 1
limit 1
