-- Chunks that hold a phrase literally, letters of either case. Only texts that have all its words, and that the filters
-- leave, are read and counted: a condition on the text alone, without `case`, would be asked while all texts are read.
with word as materialized (
    select distinct term_key(fold(word)) as term_key
    from (select unnest(words($phrase::varchar)) as word)
    where fold(word) <> ''
),
candidate as materialized (
    select chunk_no, sum(weight) as score
    from fts_postings
    where term_key in (from word)
        and true -- filters
    group by chunk_no
    having count(*) = (select count(*) from word)
)
select chunk_no
from candidate
join documents using (chunk_no)
where case when candidate.score is not null then contains(lower(text), lower($phrase::varchar)) end
order by candidate.score desc, chunk_no
limit $most
