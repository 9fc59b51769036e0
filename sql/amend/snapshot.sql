-- What the store tells of the branch and of its relations.
delete from store.snapshots where repo = getvariable('repo') and branch = getvariable('branch');

insert into store.snapshots
select * replace (getvariable('snapshot_no')::smallint as snapshot_no)
from part.snapshots
where repo = getvariable('repo') and branch = getvariable('branch');

delete from store.relations;

insert into store.relations
select relation.* replace (coalesce(counted.edges, 0) as edges)
from part.relations as relation
left join (select relation, count(*) as edges from store.edges group by relation) as counted using (relation)
order by relation.rowid;

delete from store.steps;

insert into store.steps from part.steps order by rowid;

delete from store.relation_aliases;

insert into store.relation_aliases from part.relation_aliases order by rowid;

delete from store.embedding_metadata;

delete from store.ragduck_meta;
