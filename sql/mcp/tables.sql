-- Tables and views of the store with what they hold; those that only searches and walks read come last.
with named as (
    select table_name as name, comment from duckdb_tables() where schema_name = 'main' and not internal
    union all
    select view_name, comment from duckdb_views() where schema_name = 'main' and not internal
)
select
    name,
    comment,
    name in (
        'conversations', 'documents', 'edges', 'nodes', 'relations', 'snapshots', 'source_documents', 'turns',
        'dangling_references', 'hubs', 'table_history', 'uncalled_procedures'
    ) as is_asked
from named
order by is_asked desc, name;
