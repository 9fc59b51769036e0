-- Vector columns that do not fit the dimension of the model that the store names.
with model as (
    select
        coalesce(max(value) filter (key = 'embedding_model'), 'none') as name,
        coalesce(try_cast(max(value) filter (key = 'embedding_dimensions') as integer), 0) as recorded
    from ragduck_meta
),
expected as (
    select name, recorded, if(name = 'none', 1, recorded) as dimension from model
),
found as (
    select
        max(data_type) filter (column_name = 'embedding') as embedding_type,
        count(*) filter (regexp_full_match(column_name, 'sign_[0-9]+')) as sign_columns
    from duckdb_columns()
    where table_name = 'documents'
)
select name as model, recorded as recorded_dimension, embedding_type, sign_columns
from expected, found
where embedding_type is distinct from format('FLOAT[{}]', dimension)
    or sign_columns <> (dimension + 127) // 128
