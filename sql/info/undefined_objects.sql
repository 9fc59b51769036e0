-- Tables, views, procedures and functions that each branch names: how many are defined nowhere in the store, and where
-- anybody defines them.
select
    repo, branch,
    count(*) filter (where is_external and definition_id is null) as undefined,
    count(*) filter (where not is_external or definition_id is not null) as defined,
    regexp_replace(min(node_key) filter (where is_external and definition_id is null), '\|[^|]*$', '') as example
from nodes
where kind in ('TABLE', 'VIEW', 'PROC', 'FUNC') and data_type = 'db_code'
group by repo, branch
order by repo, branch
