-- Macros of the store, of which one may be called as a function of the engine.
select distinct schema_name, function_name, function_type = 'table_macro' as is_table
from duckdb_functions()
where database_name = 'store' and function_type in ('macro', 'table_macro')
