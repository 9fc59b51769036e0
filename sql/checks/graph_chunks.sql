-- Chunks of code and database objects whose node is not in the graph of their repository and branch.
select chunk.chunk_no, chunk.id, chunk.node_key
from documents as chunk
anti join nodes as node
    on node.node_key = chunk.node_key and node.repo = chunk.repo and node.branch = chunk.branch
where chunk.data_type <> 'docs' and exists (
    select 1 from nodes as any_node where any_node.repo = chunk.repo and any_node.branch = chunk.branch
)
order by chunk.chunk_no
