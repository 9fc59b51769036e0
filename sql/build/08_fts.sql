-- BM25F index: words per field, their terms, and a weight per term and chunk (Robertson and Zaragoza 2009).
insert into fts_fields
values
    ('content', 1.0, 0.75, 0, 'whole words of the text'),
    ('parts', 1.0, 0.75, 0, 'camel and snake parts of compound identifiers of the text'),
    ('name', 4.0, 0.5, 0, 'words and parts of the element''s name or heading path'),
    ('path', 4.0, 0.5, 0, 'words and parts of the file''s stem and last two folders');

create or replace temp table word_counts as
with labels as (
    select
        chunk_no,
        if(element_type = 'section', signature, element_name) as name,
        array_to_string(string_split(regexp_replace(source_file, '\.[^./]*$', ''), '/')[-3:], ' ') as path
    from documents
),
occurrences as (
    select chunk_no, 'content' as field, unnest(words(text)) as word from documents
    union all
    select chunk_no, 'name', unnest(words(name)) from labels
    union all
    select chunk_no, 'path', unnest(words(path)) from labels
)
select chunk_no, field, word, count(*)::integer as tf
from occurrences
group by all;

create or replace temp table vocabulary as
with folded as (
    select word, fold(word) as term, subwords(word) as pieces
    from (select distinct word from word_counts)
)
select word, term, list_filter(pieces, lambda piece: piece <> term and piece <> '') as parts
from folded
where term <> '';

create or replace temp table dictionary as
select term_key(term) as term_key, term
from (select term from vocabulary union select unnest(parts) from vocabulary);

create or replace temp table word_keys as
select word, term_key(term) as term_key, list_transform(parts, lambda part: term_key(part)) as part_keys
from vocabulary;

create or replace temp table postings as
with by_field as (
    select
        chunk_no, term_key,
        if(field = 'content', tf, 0) as content, 0 as parts,
        if(field = 'name', tf, 0) as name, if(field = 'path', tf, 0) as path
    from word_counts
    join word_keys using (word)
    union all
    select
        chunk_no, unnest(part_keys), 0, if(field = 'content', tf, 0),
        if(field = 'name', tf, 0), if(field = 'path', tf, 0)
    from word_counts
    join word_keys using (word)
    where len(part_keys) > 0
)
select
    term_key, chunk_no,
    least(sum(content), 65535)::usmallint as tf_content, least(sum(parts), 65535)::usmallint as tf_parts,
    least(sum(name), 65535)::usmallint as tf_name, least(sum(path), 65535)::usmallint as tf_path
from by_field
group by term_key, chunk_no;

drop table word_counts;

insert into fts_lengths
select
    chunk_no, sum(tf_content)::integer, sum(tf_parts)::integer, sum(tf_name)::integer, sum(tf_path)::integer
from postings
group by chunk_no
order by chunk_no;

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
    select term_key, count(*)::integer as chunks from postings group by term_key
),
total as (
    select count(*) as chunks from documents
)
select term_key, term, counts.chunks, ln(1 + (total.chunks - counts.chunks + 0.5) / (counts.chunks + 0.5))
from counts
join dictionary using (term_key), total
order by term_key;

create or replace temp macro field_tf(field_name, tf, length) as (
    select weight * tf / (1 - b + b * length / avg_length) from fts_fields where field = field_name
);

insert into fts_postings
with weighted as (
    select
        posting.*,
        field_tf('content', posting.tf_content, size.content) + field_tf('parts', posting.tf_parts, size.parts)
        + field_tf('name', posting.tf_name, size.name) + field_tf('path', posting.tf_path, size.path) as tf
    from postings as posting
    join fts_lengths as size using (chunk_no)
)
select
    term_key, chunk_no, tf_content, tf_parts, tf_name, tf_path,
    (idf * tf * (getvariable('bm25_k1') + 1) / (tf + getvariable('bm25_k1')) * chunk.importance_score)::float
from weighted
join fts_terms using (term_key)
join documents as chunk using (chunk_no)
order by term_key, chunk_no;

drop table postings;
drop table vocabulary;
drop table dictionary;
drop table word_keys;
