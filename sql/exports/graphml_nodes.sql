-- Nodes of the selection in a stable order; the id is a hash, since keys hold characters that no XML name may have.
select
    concat('n', left(md5(concat_ws(chr(31), repo, branch, node_key)), 16)) as id,
    node_key as key, name as label, kind, role, name, schema, project, source_file as file, start_line, end_line,
    repo, branch, data_type, version, is_external as external
from nodes
where coalesce(list_contains(getvariable('exported_repos')::varchar[], repo), true)
    and coalesce(list_contains(getvariable('exported_branches')::varchar[], branch), true)
order by repo, branch, node_key
