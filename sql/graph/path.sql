-- The nodes of a shortest way, in order. The greatest length stands here as a number, as the depth of a walk does.
select node_id, distance, edge_no, via_id, step, 0 as score
from shortest_path(
    $ids::integer[], $targets::integer[], $steps::smallint[], $snapshots::smallint[], max_depth := 6,
    avoided_ids := $avoided::integer[], through_mentions := $through_mentions::boolean
)
order by distance;
