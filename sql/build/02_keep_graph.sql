-- What the graph of the live file holds of other repositories and branches.
insert into stage.snapshots by name
select repo, branch, commit_sha, root, prepared_at, skipped, problems, fingerprint
from live.snapshots
anti join replaced using (repo, branch);

insert into stage.nodes by name
select * exclude (node_id, definition_id)
from live.nodes
anti join replaced using (repo, branch);

-- Edges that lead to another repository get back the key by which their own knows the node.
insert into stage.edges by name
with known_as as (
    select repo, branch, definition_id, min(node_key) as node_key
    from live.nodes
    where definition_id is not null
    group by all
)
select
    edge.* exclude (edge_no, from_id, to_id, snippet)
        replace (
            coalesce(known_from.node_key, edge.from_key) as from_key,
            coalesce(known_to.node_key, edge.to_key) as to_key
        )
from live.edges as edge
anti join replaced using (repo, branch)
left join known_as as known_from
    on known_from.definition_id = edge.from_id
    and known_from.repo = edge.repo and known_from.branch = edge.branch
left join known_as as known_to
    on known_to.definition_id = edge.to_id and known_to.repo = edge.repo and known_to.branch = edge.branch;
