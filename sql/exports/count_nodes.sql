-- How many nodes belong to the repositories and branches named; an empty list means all.
select count(*) as rows
from nodes
where (len($repos) = 0 or repo in (select unnest($repos)))
    and (len($branches) = 0 or branch in (select unnest($branches)))
