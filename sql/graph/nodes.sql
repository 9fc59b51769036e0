-- Nodes by id.
select
    node_id, node_key, kind, role, name, schema, project, source_file, start_line, end_line, repo, branch, data_type,
    version, is_external
from nodes
where node_id in (select unnest($ids::integer[]));
