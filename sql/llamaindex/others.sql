-- What keeps nodes from being put into a branch or taken out of it: that prepare wrote it, or ids of other chunks.
select node_id, repo, branch
from stage.chunks
where if(
    repo = $repo and branch = $branch,
    llamaindex_node is null,
    node_id in (select unnest($ids::varchar[]))
)
order by repo = $repo and branch = $branch desc, node_id
limit 1;
