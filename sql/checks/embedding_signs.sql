-- Sign columns that do not say which components of the vector are positive.
-- Written for one sign column: each line that names it is repeated for every 64 dimensions, and the number in
-- its name says which 64.
with bits as (
    select
        * exclude (metadata_),
        list_transform(
            embedding::float[],
            lambda component, place: if(component > 0, 1::ubigint << ((place - 1) % 64)::ubigint, 0::ubigint)
        ) as bits
    from documents
),
words as (
    select
        chunk_no,
        sign_0,
        bits[64 * substr('sign_0', 6)::integer + 1:64 * substr('sign_0', 6)::integer + 64] as sign_0_bits,
        id
    from bits
)
select chunk_no, id
from words
where false
    or sign_0 is distinct from list_bit_or(sign_0_bits)
order by chunk_no
