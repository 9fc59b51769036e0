-- Chunks with a vector behind the points of a map, in reading order; `names` is how many points there would be without
-- the sample, which takes those whose hashed name comes first.
with wanted as (
    select
        chunk_no, node_id, doc_id, content_hash, repo, branch, source_file, start_line, end_line,
        element_name as title,
        case when $level = 'file' then doc_id else node_id end as point_name
    from documents
    where sign_0 is not null
        and (len($repos::varchar[]) = 0 or list_contains($repos::varchar[], repo))
        and (len($branches::varchar[]) = 0 or list_contains($branches::varchar[], branch))
),
names as (
    select distinct point_name from wanted
),
chosen as (
    select point_name from names order by md5(point_name), point_name limit $sample
)
select wanted.* exclude point_name, (select count(*) from names) as names
from wanted
semi join chosen using (point_name)
order by chunk_no
