-- Chunks with all that a result tells, in no order: sorting rows this wide takes longer here than where they are read.
-- Columns by name, as those of a `*` take longer to plan.
select
    node_id, text, doc_id, id, object_id, chunk_no, repo, branch, project, data_type, file_type, file_class,
    source_file, start_line, end_line, chunk_part, chunk_total, element_type, element_name, kind, schema, name,
    db_key, class, member, cs_key, member_kind, visibility, signature, node_key, content_hash, reads_from,
    writes_to, calls, called_by, fk_dependencies, used_by_csharp, llamaindex_node, importance_score,
    source_file || ':' || start_line || '-' || end_line as location
from documents
where chunk_no in (select unnest($chunks::integer[]))
