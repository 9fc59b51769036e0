-- Most telling terms of each topic: found in many of its chunks and in few others. `placed` has a row per chunk of the
-- map with its topic; names and paths count twice.
with sizes as (
    select topic, count(*) as chunks from placed where topic is not null group by topic
),
known as (
    select term_key, term, chunks
    from fts_terms
    where chunks >= 2
        and length(term) between 3 and 24
        and regexp_matches(term, '[a-z\x{C0}-\x{10FFFF}]{3}')
        and not is_stop_word(term)
        and not list_contains($ordinary::varchar[], term)
),
inside as (
    select
        placed.topic, posting.term_key, count(*) as chunks,
        sum(1 + (posting.tf_name > 0)::integer + (posting.tf_path > 0)::integer) as strength
    from fts_postings as posting
    join placed using (chunk_no)
    semi join known using (term_key)
    where placed.topic is not null
    group by placed.topic, posting.term_key
),
everywhere as (
    select greatest(count(*), 1) as chunks from documents
),
scored as (
    select
        inside.topic, known.term,
        inside.strength / sizes.chunks
        * ln((inside.chunks / sizes.chunks + 0.01) / (known.chunks / everywhere.chunks + 0.01)) as score
    from inside
    join known using (term_key)
    join sizes using (topic)
    cross join everywhere
    where inside.chunks * 10 >= sizes.chunks
)
select topic, term, score
from scored
where score > 0
qualify row_number() over (partition by topic order by score desc, term) <= $top
order by topic, score desc, term
