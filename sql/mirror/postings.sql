-- All postings, in the order of the table, which is that of their terms. Types are what arrays are made of.
select term_key::bigint as term_key, chunk_no::integer as chunk_no, weight::float as weight
from fts_postings
where term_key is not null
    and chunk_no is not null
