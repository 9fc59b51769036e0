-- Number of the nodes of a branch, and a hash of what they are.
select
    count(*) as nodes,
    md5(string_agg(concat_ws(chr(31), node_id, content_hash, md5(llamaindex_node::varchar)), chr(30) order by node_id))
        as fingerprint
from stage.chunks
where repo = $repo and branch = $branch;
