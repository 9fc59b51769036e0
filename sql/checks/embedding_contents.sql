-- Contents that were given different vectors: equal hashes share one embedding.
select content_hash, count(*) as chunks, count(distinct hash(embedding)) as vectors
from documents
where embedding is not null
group by content_hash
having count(distinct hash(embedding)) > 1
order by content_hash
