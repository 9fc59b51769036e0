-- Weights of the terms whose idf has moved, as many more or fewer chunks have them; of all that are to be weighed anew.
create or replace temp table weighed_terms as
with weighed as (
    select
        term_key, term.idf as held_idf, idf_of(term.chunks, (select count(*) from documents)) as idf,
        changed.more is null as is_asked
    from fts_terms as term
    join changed_terms as changed using (term_key)
)
select term_key, idf from weighed where is_asked or idf <> held_idf;

update fts_terms set idf = weighed.idf from weighed_terms as weighed where weighed.term_key = fts_terms.term_key;

update fts_postings
set weight = weighed.weight
from (
    select
        row_id,
        (idf * tf * (getvariable('bm25_k1') + 1) / (tf + getvariable('bm25_k1')) * importance_score)::float as weight
    from (
        select
            posting.rowid as row_id, weighed.idf, chunk.importance_score,
            field_tf('content', posting.tf_content, size.content) + field_tf('parts', posting.tf_parts, size.parts)
            + field_tf('name', posting.tf_name, size.name) + field_tf('path', posting.tf_path, size.path) as tf
        from fts_postings as posting
        join weighed_terms as weighed using (term_key)
        join fts_lengths as size on size.chunk_no = posting.chunk_no
        join documents as chunk on chunk.chunk_no = posting.chunk_no
    )
) as weighed
where weighed.row_id = fts_postings.rowid;

drop table changed_terms;
drop table weighed_terms;
