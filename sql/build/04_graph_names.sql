-- Names by which nodes are found.
-- Members of base types under the names of the types that inherit them, unless these have one of that name: of the
-- nearest type, of a class rather than of an interface as near.
create or replace temp table inherited_names as
with recursive ancestors as (
    select from_id as type_id, to_id as ancestor_id, 1 as depth, relation = 'Implements' as is_interface
    from edges
    where relation in ('Inherits', 'Implements')
    union
    select ancestors.type_id, base.to_id, depth + 1, base.relation = 'Implements'
    from ancestors
    join edges as base on base.from_id = ancestors.ancestor_id
    where base.relation in ('Inherits', 'Implements') and depth < 8
),
members as (
    select owner.from_id as type_id, member.node_id, member.name
    from edges as owner
    join nodes as type on type.node_id = owner.from_id
    join nodes as member on member.node_id = owner.to_id
    where owner.relation = 'Contains' and type.kind = 'TYPE' and member.kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET')
        and member.name <> type.name
),
inherited as (
    select ancestors.type_id, member.node_id, member.name
    from ancestors
    join members as member on member.type_id = ancestors.ancestor_id
    anti join members as own on own.type_id = ancestors.type_id and own.name = member.name
    qualify dense_rank() over (partition by ancestors.type_id, member.name order by depth, is_interface) = 1
)
select node_id, type_id, name
from inherited
group by all;

insert into node_names
with full_names as (
    select
        node_id, node_key, name, kind,
        regexp_replace(regexp_replace(node_key, '\|[^|]*$', ''), '^[a-z]+:', '') as full_name
    from nodes
    where definition_id is null
),
plain as (
    select
        *,
        if(kind = 'SCHEMA', 5, 2) as full_rank,  -- its main table is often called as it is
        case
            when kind = 'SCHEMA' then 5
            when kind in ('METHOD', 'PROPERTY', 'FIELD', 'DBSET', 'INDEX', 'FOREIGN_KEY') then 4
            else 3
        end as rank
    from full_names
),
spellings as (
    select
        node_id,
        unnest([1, full_rank, rank, rank]) as rank,
        unnest([
            node_key, full_name,
            case kind when 'FILE' then regexp_extract(full_name, '[^/]*$') else name end,
            case when kind <> 'FILE' then array_to_string(string_split(full_name, '.')[-2:], '.') end
        ]) as spelling
    from plain
    union all
    select inherited.node_id, 6, unnest([type.name, type.full_name]) || '.' || inherited.name
    from inherited_names as inherited
    join full_names as type on type.node_id = inherited.type_id
)
select name_key(spelling) as name_key, node_id, min(rank) as rank
from spellings
where spelling is not null
group by all
order by all;

drop table inherited_names;
