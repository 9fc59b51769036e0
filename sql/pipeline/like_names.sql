-- Nodes whose last name is most like a name, by its letters and its words: of a name with an owner those whose owner is like
-- it, too; of one without each name once. What is defined comes before what is only referred to, types before members.
with alike as materialized (
    select
        node_key, name, kind, is_external, jaro_winkler_similarity(lower(name), lower($last_name)) as similarity,
        lower(array_to_string(string_split(key_name(node_key), '.')[-2:], '.')) as ending
    from nodes
    where kind not in ('FILE', 'SCHEMA') and length(name) between length($last_name) / 2 and 2 * length($last_name)
        and definition_id is null
),
compared as (
    select
        *,
        similarity + 2 * len(list_intersect(subwords(name), subwords($last_name)))
        / (len(subwords(name)) + len(subwords($last_name)))
        + case when $ending = $last_name then 0 else jaro_winkler_similarity(ending, lower($ending)) end as likeness,
        case kind when 'TYPE' then 0 when 'PROPERTY' then 2 when 'FIELD' then 2 else 1 end as place
    from alike
    where similarity > 0.84
),
distinct_names as (
    select node_key, likeness, is_external, place
    from compared
    qualify row_number() over (
        partition by case when $ending = $last_name then lower(name) else node_key end order by is_external, place, node_key
    ) = 1
)
select node_key
from distinct_names
order by likeness desc, is_external, place, node_key
limit $top_n;
