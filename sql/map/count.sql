-- Number of the chunks, or files, of the wanted branches, with and without vectors.
select count(distinct case when $level = 'file' then doc_id else node_id end) as names
from documents
where (len($repos::varchar[]) = 0 or list_contains($repos::varchar[], repo))
    and (len($branches::varchar[]) = 0 or list_contains($branches::varchar[], branch))
