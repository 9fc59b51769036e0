-- Whether repositories define something else for each other than before.
with held as (
    select coalesce(own.node_id, held.node_id) as node_id, coalesce(defined.node_id, held.definition_id) as definition_id
    from store.nodes as held
    left join node_ids as own on own.held_id = held.node_id
    left join node_ids as defined on defined.held_id = held.definition_id
    where held.definition_id is not null
)
select 1
where exists (from held except from definitions) or exists (from definitions except from held)
