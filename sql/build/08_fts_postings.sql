-- Occurrences of a slice of the terms, in order, each with its weight.
insert into fts_postings
with weighted as (
    select
        posting.*,
        field_tf('content', posting.tf_content, size.content) + field_tf('parts', posting.tf_parts, size.parts)
        + field_tf('name', posting.tf_name, size.name) + field_tf('path', posting.tf_path, size.path) as tf
    from postings as posting
    join fts_lengths as size using (chunk_no)
    where posting.term_key >= getvariable('low') and posting.term_key < getvariable('high')
)
select
    term_key, chunk_no, tf_content, tf_parts, tf_name, tf_path,
    (idf * tf * (getvariable('bm25_k1') + 1) / (tf + getvariable('bm25_k1')) * chunk.importance_score)::float
from weighted
join fts_terms using (term_key)
join documents as chunk using (chunk_no)
order by term_key, chunk_no;
