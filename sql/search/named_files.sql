-- Files whose names, or whose folders' names, have words of the question.
select
    file_no, sum(file_share) as file_share, sum(folder_share) as folder_share,
    sum(case when file_share > 0 then rarity else 0 end) as rarity
from file_terms
where stem_key in (select unnest($stem_keys::bigint[]))
    and true -- filters
group by file_no
limit $most
