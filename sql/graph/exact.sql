-- Nodes by their whole keys, several at once; those that a repository defines rather than those it refers to. Found by
-- the hash of the name first: joined the other way round, the keys of all nodes would be compared.
with asked as materialized (
    select distinct written, name_key(written) as name_key
    from (select unnest($keys::varchar[]) as written)
)
select node_id, node_key, repo, branch
from nodes
where node_id in (
        select names.node_id
        from node_names as names
        join asked using (name_key)
        where names.rank = 1
    )
    and node_key in (select written from asked)
    and repo = coalesce($repo, repo) and branch = coalesce($branch, branch)
qualify is_external = min(is_external) over (partition by node_key)
order by node_id;
