-- In which names of files and folders the stem of a term occurs, all of them in order.
select
    stem_key::bigint as stem_key, file_no::integer as file_no,
    coalesce(file_share, 0)::double as file_share, coalesce(folder_share, 0)::double as folder_share,
    coalesce(rarity, 0)::double as rarity
from file_terms
where stem_key is not null
    and file_no is not null
order by 1, 2
