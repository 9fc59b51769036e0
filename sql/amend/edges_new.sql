-- Each new edge stands behind one that was kept, whose number is the greatest before its own.
delete from store.edges where rowid in (select held_row from gone_edges);

create or replace temp table edge_places as
with of_node as (
    select fresh.rowid as fresh_row, max(held.edge_no) as behind
    from fresh_edges as fresh
    join store.edges as held using (from_id)
    where (held.relation, held.to_id, held.rule, held.detail, held.repo, held.branch, held.source_file, held.line)
        <= (fresh.relation, fresh.to_id, fresh.rule, fresh.detail, fresh.repo, fresh.branch, fresh.source_file, fresh.line)
    group by fresh.rowid
),
of_nodes_before as (
    select fresh.node_id, max(held.edge_no) as behind
    from (select distinct from_id as node_id from fresh_edges) as fresh
    asof join (
        select from_id, max(edge_no) as edge_no from store.edges group by from_id
    ) as held on held.from_id < fresh.node_id
    group by fresh.node_id
)
select
    fresh.rowid as fresh_row, coalesce(of_node.behind, of_nodes_before.behind, 0) as behind,
    row_number() over (
        partition by coalesce(of_node.behind, of_nodes_before.behind, 0)
        order by from_id, relation, to_id, rule, detail, repo, branch, source_file, line
    ) as place
from fresh_edges as fresh
left join of_node on of_node.fresh_row = fresh.rowid
left join of_nodes_before on of_nodes_before.node_id = fresh.from_id;

-- By how much the numbers behind an edge grow.
create or replace temp table edge_shifts as
with changes as (
    select edge_no::integer as behind, -1 as more from gone_edges
    union all
    select behind, 1 from edge_places
)
select behind, (sum(sum(more)) over (order by behind))::integer as shift
from changes
group by behind;

create or replace temp table moved_edges as
select held.edge_no as held_no, held.edge_no + shifts.shift as edge_no
from store.edges as held
asof join edge_shifts as shifts on shifts.behind < held.edge_no
where shifts.shift <> 0;

update store.edges set edge_no = moved.edge_no from moved_edges as moved where moved.held_no = edges.edge_no;

insert into store.edges by name
select fresh.*, (place.behind + coalesce(shifts.shift, 0) + place.place)::integer as edge_no
from fresh_edges as fresh
join edge_places as place on place.fresh_row = fresh.rowid
asof left join edge_shifts as shifts on shifts.behind < place.behind
order by edge_no;

drop table edge_places;
drop table edge_shifts;
