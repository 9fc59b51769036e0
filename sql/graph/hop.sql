-- One hop of a walk: nodes to which links lead from the front, best tied first, without those that are known; `best`
-- is the surest link of each, `is_last` tells that only steps by which a walk ends led there. Hops are statements of their own: in one they take twice as long to plan.
select
    link.neighbour_id as node_id, sum(link.weight)::bigint as score,
    max(row(link.weight, -link.edge_no, link.node_id, link.step)) as best,
    bool_and(list_contains($last::smallint[], link.step)) as is_last
from links as link
anti join (select unnest($known::integer[]) as node_id) as known on known.node_id = link.neighbour_id
where link.node_id in (select unnest($front::integer[]))
    and list_contains($steps::smallint[], link.step)
    and list_contains($snapshots::smallint[], link.snapshot_no)
    and link.place <= $max_nodes
group by link.neighbour_id
order by score desc, node_id
limit $limit;
