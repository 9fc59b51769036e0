-- What the store tells of the branch, of its relations and of itself.
delete from store.snapshots where repo = getvariable('repo') and branch = getvariable('branch');

insert into store.snapshots by name
select
    snapshot.*,
    getvariable('snapshot_no')::smallint as snapshot_no,
    (select count(*) from store.source_documents where repo = snapshot.repo and branch = snapshot.branch) as files,
    (select count(*) from store.documents where repo = snapshot.repo and branch = snapshot.branch) as chunks,
    (select count(*) from store.nodes where repo = snapshot.repo and branch = snapshot.branch) as nodes,
    (select count(*) from store.edges where repo = snapshot.repo and branch = snapshot.branch) as edges
from stage.snapshots as snapshot;

update store.relations
set edges = coalesce((select count(*) from store.edges where edges.relation = relations.relation), 0);

delete from store.embedding_metadata;

delete from store.ragduck_meta;
