-- Weights of the terms that more or fewer chunks have, and of all terms in chunks that have other words.
update fts_terms
set idf = idf_of(fts_terms.chunks, (select count(*) from documents))
from changed_terms as changed
where changed.term_key = fts_terms.term_key and changed.more is distinct from 0;

update fts_postings
set weight = weighed.weight
from (
    select
        row_id,
        (idf * tf * (getvariable('bm25_k1') + 1) / (tf + getvariable('bm25_k1')) * importance_score)::float as weight
    from (
        select
            posting.rowid as row_id, term.idf, chunk.importance_score,
            field_tf('content', posting.tf_content, size.content) + field_tf('parts', posting.tf_parts, size.parts)
            + field_tf('name', posting.tf_name, size.name) + field_tf('path', posting.tf_path, size.path) as tf
        from fts_postings as posting
        join changed_terms as changed using (term_key)
        join fts_terms as term using (term_key)
        join fts_lengths as size on size.chunk_no = posting.chunk_no
        join documents as chunk on chunk.chunk_no = posting.chunk_no
        where changed.more is distinct from 0 or posting.chunk_no in (select chunk_no from postings)
    )
) as weighed
where weighed.row_id = fts_postings.rowid;

drop table changed_terms;
