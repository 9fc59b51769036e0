-- What keeps a store from being amended: words that do not add up, what several repositories define for each other, or
-- relations that no other branch has. The variables repo and branch name the branch.
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
),
outside as (
    select repo, lower(regexp_replace(node_key, '\|[^|]*$', '')) as name, is_external
    from store.nodes
    where repo <> getvariable('repo')
),
own as (
    select lower(regexp_replace(node_key, '\|[^|]*$', '')) as name, is_external from stage.nodes
)
select 'words' as reason
where (select count(*) from whole) <> (select count(*) from store.documents)
    or (select count(*) from counted) <> (select count(*) from store.documents)
    or (select count(*) from told_terms) <> (select count(*) from store.fts_terms)
    or (select count(*) from told_terms) <> (select count(*) from terms)
union all
select 'definitions'
where exists (from store.nodes where definition_id is not null)
    or exists (from own join outside using (name) where own.is_external <> outside.is_external)
union all
select 'relations'
where exists (from stage.edges where relation not in (select relation from store.relations where description <> ''))
    or exists (from store.relations where description = '')
limit 1
