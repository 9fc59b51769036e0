-- What the store holds of each repository and branch; undefined_objects are those of databases that no file of it defines.
select
    snapshot.repo, snapshot.branch, snapshot.files, snapshot.chunks, snapshot.nodes, snapshot.edges, snapshot.skipped,
    snapshot.problems, count(node.node_id) as undefined_objects
from snapshots as snapshot
left join nodes as node
    on node.repo = snapshot.repo and node.branch = snapshot.branch and node.is_external
        and node.kind in ('TABLE', 'VIEW', 'PROC', 'FUNC') and node.data_type = 'db_code'
group by all
order by snapshot.repo, snapshot.branch;
