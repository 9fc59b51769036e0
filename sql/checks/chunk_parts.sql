-- Chunks of one object in one file whose parts do not count up from 0 to their total.
with objects as (
    select
        chunk_no, id, chunk_part, chunk_total,
        row_number() over (same_object order by chunk_part, chunk_no) - 1 as expected_part,
        count(*) over (same_object) as expected_total
    from documents
    window same_object as (
        partition by repo, branch, source_file, regexp_replace(id, ':part=[0-9]+$', '')
    )
)
select chunk_no, id, chunk_part, expected_part, chunk_total, expected_total
from objects
where chunk_part <> expected_part
    or chunk_total <> expected_total
    or not ends_with(id, ':part=' || chunk_part)
order by chunk_no
