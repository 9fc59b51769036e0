-- Files that are called as a question says, unless that may be more than `top_n`; the code of a page stands beside it,
-- as Order.aspx.cs beside Order.aspx.
with asked as materialized (
    select distinct name
    from (select unnest($names::varchar[]) as name)
),
named as (
    select distinct asked.name, node.node_key, lower(parse_filename(node.source_file)) as file_name
    from nodes as node
    join asked on lower(parse_filename(node.source_file)) in (asked.name, asked.name || '.cs', asked.name || '.vb')
    where node.kind = 'FILE' and not node.is_external
        and node.repo = coalesce($repo, node.repo) and node.branch = coalesce($branch, node.branch)
)
select name, node_key
from named
qualify count(*) filter (file_name = name) over (partition by name) between 1 and $top_n
order by name, node_key;
