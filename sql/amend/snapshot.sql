-- What the store tells of the branch and of its relations.
delete from store.snapshots where repo = getvariable('repo') and branch = getvariable('branch');

insert into store.snapshots
select * replace (getvariable('snapshot_no')::smallint as snapshot_no)
from part.snapshots
where repo = getvariable('repo') and branch = getvariable('branch');

update store.relations
set edges = counted.edges
from (
    select relation.relation, count(edge.edge_no) as edges
    from store.relations as relation
    left join store.edges as edge using (relation)
    group by relation.relation
) as counted
where counted.relation = relations.relation and relations.edges <> counted.edges;

delete from store.embedding_metadata;

delete from store.ragduck_meta where key = 'vectors_fingerprint';
