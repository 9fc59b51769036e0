-- Terms of all chunks, and the mean lengths of the fields.
update fts_fields
set avg_length = greatest(mean.length, 1e-9)
from field_means as mean
where mean.field = fts_fields.field;

insert into fts_terms
with counts as (
    select term_key, term, sum(chunks)::integer as chunks from term_counts group by term_key, term
),
total as (
    select count(*) as chunks from documents
)
select term_key, term, counts.chunks, idf_of(counts.chunks, total.chunks)
from counts, total
order by term_key;

drop table term_counts;
