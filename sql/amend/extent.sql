-- Where the rows of the branch lie in the store: behind how many others, how many they are, of how many in all, and whether
-- numbers of all branches are those of a store written whole.
with held as (
    select 'chunks' as kind, repo, branch, min(chunk_no) as low, max(chunk_no) as high, count(*) as rows
    from store.documents
    group by repo, branch
    union all
    select 'nodes', repo, branch, min(node_id), max(node_id), count(*) from store.nodes group by repo, branch
    union all
    select 'edges', repo, branch, min(edge_no), max(edge_no), count(*) from store.edges group by repo, branch
    union all
    select 'files', repo, branch, min(file_no), max(file_no), count(distinct file_no)
    from store.chunk_signals
    join (select chunk_no, repo, branch from store.documents) using (chunk_no)
    group by repo, branch
),
placed as (
    select
        *, repo = getvariable('repo') and branch = getvariable('branch') as is_own,
        repo < getvariable('repo') or repo = getvariable('repo') and branch < getvariable('branch') as is_before,
        coalesce(sum(rows) over (
            partition by kind order by repo, branch rows between unbounded preceding and 1 preceding
        ), 0) as rows_before
    from held
),
kinds as (
    select unnest(['chunks', 'nodes', 'edges', 'files']) as kind
)
select
    kind,
    coalesce(sum(rows) filter (where is_before), 0)::integer as before,
    coalesce(sum(rows) filter (where is_own), 0)::integer as own,
    coalesce(sum(rows), 0)::integer as total,
    coalesce(bool_and(low = rows_before + 1 and high = rows_before + rows), true) as is_in_order,
    coalesce(min(low) = 1 and max(high) = sum(rows), true) as is_gapless
from kinds
left join placed using (kind)
group by kind
