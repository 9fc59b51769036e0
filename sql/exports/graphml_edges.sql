-- Edges that files of the selection show. One that leads to a repository left out ends at what the own one knows of it.
with
ends as (
    select
        edge.*,
        coalesce(list_contains(getvariable('exported_repos')::varchar[], target.repo), true)
        and coalesce(list_contains(getvariable('exported_branches')::varchar[], target.branch), true)
        as is_selected,
        target.repo as target_repo, target.branch as target_branch, target.node_key as target_key
    from edges as edge
    join nodes as target on target.node_id = edge.to_id
    where coalesce(list_contains(getvariable('exported_repos')::varchar[], edge.repo), true)
        and coalesce(list_contains(getvariable('exported_branches')::varchar[], edge.branch), true)
)

select
    concat('n', left(md5(concat_ws(chr(31), repo, branch, from_key)), 16)) as source,
    concat('n', left(md5(
        if(is_selected, concat_ws(chr(31), target_repo, target_branch, target_key), concat_ws(chr(31), repo, branch, to_key))
    ), 16)) as target,
    relation, source_file as file, line, rule, confidence, detail, sites
from ends
order by edge_no
