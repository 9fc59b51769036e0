-- What the historic unified index tells of a run of chunks with vectors, in order.
select
    id, object_id as local_id, data_type, file_type, source_file, chunk_part, chunk_total, repo, branch, project,
    importance_score, kind, schema, name, db_key, class, member, cs_key, start_line, end_line, content_hash, text
from documents
where sign_0 is not null
    and chunk_no > $low
    and chunk_no <= $high
order by chunk_no
