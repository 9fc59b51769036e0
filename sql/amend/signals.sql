-- The chunks that are looked at as they are now, with others of the same nodes, and the edges that lead to their files.
create or replace temp table looked_chunks as
with looked as (
    select chunk_no, repo, branch, node_key from store.documents semi join looked_at using (repo, branch, source_file)
)
select chunk_no
from store.documents
where chunk_no in (select chunk_no from looked)
    or (repo, branch, node_key) in (select (repo, branch, node_key) from looked);

drop table part.documents;

create table part.documents as
select chunk_no, repo, branch, source_file, file_class, file_type, data_type, element_type, kind, name, node_key, text,
    chunk_part, start_line, end_line
from store.documents
semi join looked_chunks using (chunk_no);

drop table looked_chunks;

create or replace temp table found_nodes as
select node_id from store.nodes semi join looked_at using (repo, branch, source_file);

create or replace view part.edges as from store.edges where to_id in (from found_nodes);
