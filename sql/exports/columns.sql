-- Columns of all tables of the file. What is computed from other columns takes no space in it and is told apart.
select
    tables.table_name, tables.comment as table_comment, columns.column_name, columns.data_type, columns.comment,
    columns.column_default is not null
    and contains(
        tables.sql, concat(columns.column_name, ' ', columns.data_type, ' GENERATED ALWAYS AS')
    ) as is_computed,
    columns.is_nullable
from duckdb_tables() as tables
join duckdb_columns() as columns using (database_oid, schema_oid, table_oid)
where tables.database_name = current_database()
    and tables.schema_name = 'main'
    and not tables.internal
    and not tables.temporary
order by tables.table_name, columns.column_index
