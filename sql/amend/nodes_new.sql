-- Nodes that are gone or told otherwise give way to those that are; numbers of all nodes.
delete from store.nodes
where node_id < 0 or node_id in (select node_id from fresh_nodes where held_id is not null);

insert into store.nodes by name
select fresh.* exclude (held_id, held_name, held_file, is_named_anew), definitions.definition_id
from fresh_nodes as fresh
left join definitions using (node_id)
order by fresh.node_id;

create or replace temp table numbered_snapshots as select snapshot_no, repo, branch from store.snapshots;

create or replace temp table numbered_nodes as
select node.node_id, snapshot.snapshot_no, node.node_key, node.kind
from store.nodes as node
join numbered_snapshots as snapshot using (repo, branch);

create or replace temp view edge_texts as select repo, branch, file_path, text from store.source_documents;
