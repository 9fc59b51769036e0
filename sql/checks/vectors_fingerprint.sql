-- Recorded fingerprint of the vectors that is not the one of what is stored.
with recorded as (
    select max(value) filter (key = 'vectors_fingerprint') as recorded from ragduck_meta
)
select recorded, vectors_fingerprint() as stored
from recorded
where recorded is distinct from vectors_fingerprint()
