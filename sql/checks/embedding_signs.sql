-- Sign columns that do not say which components of the vector are positive.
-- Written for one sign column: each line so marked is repeated for every 128 dimensions.
with bits as (
    select
        * exclude (metadata_),
        translate([(component > 0)::utinyint for component in embedding]::varchar, '[], ', '') as bits
    from documents
)
select chunk_no, id
from bits
where false
    or sign_0 is distinct from substring(bits, 128 * 0 + 1, 128)::bit::hugeint  -- per 128 dimensions
order by chunk_no
