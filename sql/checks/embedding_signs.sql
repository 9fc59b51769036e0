-- Sign columns that do not say which components of the vector are positive.
-- Written for one sign column: each line so marked is repeated for every 64 dimensions, and the number in
-- its name says which 64.
with bits as (
    select
        * exclude (metadata_),
        list_transform(
            embedding::float[],
            lambda component, place: if(component > 0, if(place % 64 = 0, -9223372036854775808, 1::bigint << ((place - 1) % 64)), 0::bigint)
        ) as bits
    from documents
),
words as (
    select
        chunk_no,
        sign_0,  -- per 64 dimensions
        bits[64 * substr('sign_0', 6)::integer + 1:64 * substr('sign_0', 6)::integer + 64] as sign_0_bits,  -- per 64 dimensions
        id
    from bits
)
select chunk_no, id
from words
where false
    or sign_0 is distinct from list_bit_or(sign_0_bits)  -- per 64 dimensions
order by chunk_no
