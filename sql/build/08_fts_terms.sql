-- Terms of all chunks, and the mean length of the fields.
drop table word_counts;
drop table vocabulary;
drop table word_keys;
drop table new_chunks;
drop table new_postings;
drop table known_chunks;

insert into fts_lengths from lengths order by chunk_no;

drop table lengths;

update fts_fields
set avg_length = greatest(mean.length, 1e-9)
from (
    select 'content' as field, coalesce(avg(content), 0) as length from fts_lengths
    union all
    select 'parts', coalesce(avg(parts), 0) from fts_lengths
    union all
    select 'name', coalesce(avg(name), 0) from fts_lengths
    union all
    select 'path', coalesce(avg(path), 0) from fts_lengths
) as mean
where mean.field = fts_fields.field;

insert into fts_terms
with counts as (
    select term_key, term, sum(chunks)::integer as chunks from term_counts group by term_key, term
),
total as (
    select count(*) as chunks from documents
)
select term_key, term, counts.chunks, ln(1 + (total.chunks - counts.chunks + 0.5) / (counts.chunks + 0.5))
from counts, total
order by term_key;

-- A variable, because it is a constant in a statement: subqueries would be joined to each posting.
set variable fields = (
    select map(list(field), list({'weight': weight, 'b': b, 'avg_length': avg_length})) from fts_fields
);

create or replace temp macro normalised(field, tf, length) as
    field.weight * tf / (1 - field.b + field.b * length / field.avg_length);

create or replace temp macro field_tf(field_name, tf, length) as
    normalised(getvariable('fields')[field_name], tf, length);

drop table term_counts;
