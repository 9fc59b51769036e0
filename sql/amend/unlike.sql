-- What keeps a store from being amended: words that do not add up, chunks without vectors, or
-- relations that ragduck does not know.
with counted as (
    select chunk_no, sum(tf_content) as content, sum(tf_parts) as parts, sum(tf_name) as name, sum(tf_path) as path
    from store.fts_postings
    group by chunk_no
),
whole as (
    select distinct chunk_no
    from store.fts_lengths
    join counted using (chunk_no, content, parts, name, path)
    join store.documents using (chunk_no)
),
terms as (
    select term_key, count(*)::integer as chunks from store.fts_postings group by term_key
),
told_terms as (
    select term_key
    from store.fts_terms as term
    join terms using (term_key, chunks)
    where term_key(term.term) = term_key
)
select 'words' as reason
where (select count(*) from whole) <> (select count(*) from store.documents)
    or (select count(*) from counted) <> (select count(*) from store.documents)
    or (select count(*) from told_terms) <> (select count(*) from store.fts_terms)
    or (select count(*) from told_terms) <> (select count(*) from terms)
union all
select 'vectors'  -- which other branches may lack
where getvariable('model') <> 'none'
    and exists (
        from store.documents
        where (sign_0 is null or embedding is null) and file_class not in ('generated', 'vendored')
    )
union all
select 'relations'
where exists (from stage.edges where relation not in (select relation from store.relations where description <> ''))
    or exists (from store.relations where description = '')
limit 1
