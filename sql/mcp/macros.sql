-- Macros that answer questions without a vector, with how they are called.
select distinct
    function_name || '(' || array_to_string(parameters, ', ') || ')' as name,
    comment
from duckdb_functions()
where
    not internal
    and function_type = 'table_macro'
    and function_name in (
        'bm25', 'neighbours', 'callers', 'callees', 'impact', 'path_between', 'node_of', 'object_changes', 'file_changes'
    )
order by name;
