-- Names of code and database that have some words in them: what a store calls a concept. Each of `terms` is a form of
-- the word at its place in `words`; names with more of the words come first, then the more telling.
with asked as materialized (
    select term_key(term) as term_key, word
    from (select unnest($terms::varchar[]) as term, unnest($words::varchar[]) as word)
),
named as materialized (
    select posting.chunk_no, count(distinct asked.word) as words, sum(posting.weight) as weight
    from fts_postings as posting
    join asked on posting.term_key = asked.term_key
    where posting.tf_name > 0
    group by posting.chunk_no
    order by words desc, weight desc, posting.chunk_no
    limit 40
)
select
    chunk.element_name, max(named.words) as words, max(named.weight) as weight,
    list(distinct chunk.node_key order by chunk.node_key) as node_keys
from documents as chunk
join named using (chunk_no)
where chunk.file_class not in ('test', 'generated', 'vendored') and chunk.data_type <> 'docs'
group by chunk.element_name
order by words desc, weight desc, chunk.element_name
limit $top_n;
