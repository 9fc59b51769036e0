-- What the historic unified index tells of a run of chunks with vectors, in order.
select
    id, object_id as local_id, data_type, file_type, source_file, chunk_part, chunk_total, repo, branch, project,
    importance_score, kind, schema, name, db_key, class, member, cs_key, start_line, end_line, content_hash,
    file_class, element_type, element_name, node_key, member_kind, visibility, signature,
    nullif(reads_from, []) as reads_from, nullif(writes_to, []) as writes_to, nullif(calls, []) as calls,
    nullif(called_by, []) as called_by, nullif(fk_dependencies, []) as fk_dependencies,
    nullif(used_by_csharp, []) as used_by_csharp, text
from documents
where sign_0 is not null
    and chunk_no > $low
    and chunk_no <= $high
order by chunk_no
