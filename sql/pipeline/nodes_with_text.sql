-- The innermost nodes whose lines hold a text, one that is whole in quotes of the language; without tests and what is generated.
-- Only chunks that have all its words are read: a condition on the text alone, without `case`, would be asked while all are.
with word as materialized (
    select distinct term_key(fold(word)) as term_key
    from (select unnest(words($phrase::varchar)) as word)
    where fold(word) <> ''
),
candidate as materialized (
    select chunk_no, sum(weight) as score
    from fts_postings
    where term_key in (from word)
    group by chunk_no
    having count(*) = (select count(*) from word)
),
chunk as materialized (
    select documents.repo, documents.branch, documents.source_file, documents.start_line, documents.text
    from candidate
    join documents using (chunk_no)
    where documents.data_type in ('regular_code', 'db_code') and documents.file_class not in ('test', 'generated', 'vendored')
        and documents.repo = coalesce($repo, documents.repo) and documents.branch = coalesce($branch, documents.branch)
        and case when candidate.score is not null then contains(lower(documents.text), lower($phrase::varchar)) end
    order by candidate.score desc, chunk_no
    limit 100
),
line as (
    select
        repo, branch, source_file, start_line,
        unnest(string_split(text, chr(10))) as text, unnest(range(len(string_split(text, chr(10))))) as place
    from chunk
),
holding as materialized (
    select distinct repo, branch, source_file, start_line + place as line
    from line
    where case
        when $is_whole then
            contains(lower(text), '"' || lower($phrase::varchar) || '"')
            or contains(lower(text), '''' || lower($phrase::varchar) || '''')
        else contains(lower(text), lower($phrase::varchar))
    end
),
innermost as (
    select holding.*, arg_min(node.node_key, row(node.end_line - node.start_line, node.node_key)) as node_key
    from holding
    join nodes as node using (repo, branch, source_file)
    where holding.line between node.start_line and node.end_line and node.kind <> 'FILE'
    group by all
)
select node_key
from innermost
group by node_key
order by node_key
limit $most;
