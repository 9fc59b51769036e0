-- Ids that several chunks of one repository and branch share.
select repo, branch, id, count(*) as chunks, min(chunk_no) as first_chunk_no
from documents
group by repo, branch, id
having count(*) > 1
order by repo, branch, id
