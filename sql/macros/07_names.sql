-- Nodes by the ways people and other systems write them.
-- `sql:Shop::dbo.Invoice:part=0`, `csharp:Shop.Order|ENTITY` and `dbo.Invoice` without anything around the name.
create macro key_name(asked) as
    regexp_replace(
        regexp_replace(asked, '(\|[A-Za-z_]+|(@.*)?:part=[0-9]+)$', ''), '^((sql:)?[^:|]*::|[A-Za-z]+:)', '', 'i'
    );

-- Whole key 0 or 1, name in full 2, end of a name 3, of a member's name 4; 10 more for another kind, 100 for another
-- language. Of candidates of one rank what the store defines comes first, `place` 0, then what it refers to, views of
-- pages, which are called as their models are, and tests. Most of the time goes into planning, so that there is little
-- but plain functions here.
create macro node_matches(asked) as table
    with spellings as materialized (
        select
            unnest([asked::varchar, key_name(asked)]) as spelling, asked::varchar as written,
            case
                when contains(written, '::') or starts_with(lower(written), 'sql:') or not contains(written, ':') then ''
                when starts_with(written, 'cs:') then 'csharp:'
                else split_part(written, ':', 1) || ':'
            end as language
    )
    select
        node.node_id, node.node_key, node.kind, node.repo, node.branch,
        case
            when node.node_key = written then 0
            when not starts_with(node.node_key, language) then 100
            else names.rank
        end
        + case
            when split_part(upper(written), '|', 2) in ('', node.kind, node.role) then 0
            when ends_with(upper(written), '|TABLE_OR_VIEW') and (node.kind = 'TABLE' or node.kind = 'VIEW') then 0
            else 10
        end
        + case when node.is_external then 0.5 else 0 end as rank,
        case
            when node.role = 'TEST' or regexp_matches(node.source_file, '(^|[./])tests?[./]', 'i') then 3
            when starts_with(node.node_key, 'razor:') or starts_with(node.node_key, 'webforms:') then 2
            when node.is_external then 1
            else 0
        end as place
    from spellings
    join node_names as names on names.name_key = name_key(spelling)
    join nodes as node on node.node_id = names.node_id;

create macro node_of(asked) as table
    with best as materialized (
        select distinct node_id
        from node_matches(asked)
        where rank < 100
        qualify rank = min(rank) over ()
    )
    select
        node_id, node_key, kind, role, name, schema, project, source_file, start_line, end_line, repo, branch,
        is_external
    from nodes
    semi join best using (node_id)
    order by node_id;

comment on macro key_name is 'Name in a key, without language, database, kind and part.';
comment on macro table node_matches is 'Nodes that a name may mean, the best with the least rank: node_id, node_key, kind, '
    'repo, branch, rank, and place among candidates of one rank.';
comment on macro table node_of is
    'Nodes that a name means: a key, a key with a role, TABLE_OR_VIEW or without kind, the last two parts of a name or '
    'its last. Several rows with one key are branches; several keys say that the name is ambiguous.';
