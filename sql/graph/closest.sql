-- Nodes with the most similar names, for someone who mistyped one: those that have the name within the last two parts
-- of theirs, then by how like these parts are.
with asked as (
    select lower(key_name($key)) as name, lower(regexp_extract(key_name($key), '[^.]*$')) as end_of_name
),
compared as (
    select
        node_key, is_external,
        lower(array_to_string(string_split(key_name(node_key), '.')[-2:], '.')) as ending,
        greatest(
            jaro_winkler_similarity(lower(node.name), asked.end_of_name),
            jaro_winkler_similarity(lower(key_name(node_key)), asked.name),
            jaro_winkler_similarity(ending, asked.name)
        ) as similarity
    from nodes as node
    cross join asked
    where definition_id is null
)
select node_key
from compared
cross join asked
where similarity > 0.84
group by node_key
order by
    max(contains(ending, asked.name)) desc, max(similarity + jaro_winkler_similarity(ending, asked.name)) desc,
    bool_and(is_external), node_key
limit 5;
