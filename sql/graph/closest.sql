-- Nodes with the most similar names, for someone who mistyped one.
with compared as (
    select
        node_key,
        max(greatest(
            jaro_winkler_similarity(lower(name), lower(regexp_extract(key_name($key), '[^.]*$'))),
            jaro_winkler_similarity(lower(key_name(node_key)), lower(key_name($key)))
        )) as similarity
    from nodes
    where definition_id is null
    group by node_key
)
select node_key
from compared
where similarity > 0.8
order by similarity desc, node_key
limit 5;
