-- Points of the map without a chunk or file, at no place, or twice.
select point_no, node_id, title
from map_points as point
where not isfinite(x)
    or not isfinite(y)
    or not exists (from source_documents as file where file.doc_id = point.doc_id)
    or (chunk_no is null and node_id <> doc_id)
    or (
        chunk_no is not null
        and not exists (
            from documents as chunk where chunk.chunk_no = point.chunk_no and chunk.node_id = point.node_id
        )
    )
union all
select point_no, min(node_id), 'given more than once'
from map_points
group by point_no
having count(*) > 1
order by point_no
