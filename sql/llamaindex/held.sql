-- Which files of a branch hold added nodes, and the document of LlamaIndex that each stands for.
select
    coalesce(llamaindex_node ->> '$.relationships."1".node_id', node_id) as ref_id,
    source_file as path, count(*) as nodes
from stage.chunks
where repo = $repo and branch = $branch
group by ref_id, path
order by path;
