-- Columns of one table or view; for a null name those of all, without what only the engine of a search reads.
select table_name, column_name, data_type, comment
from duckdb_columns()
where
    schema_name = 'main'
    and not internal
    and case
        when $name is null then not regexp_full_match(column_name, 'embedding|sign_[0-9]+|metadata_')
        else lower(table_name) = lower($name)
    end
order by table_name, column_index;
