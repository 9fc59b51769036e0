-- Nodes of the branch that are new or told otherwise, and those that are gone. A key is told once of each branch.
create or replace temp view held_nodes as
select node_id as held_id, * exclude (node_id, definition_id)
from store.nodes
where repo = getvariable('repo') and branch = getvariable('branch');

create or replace temp table fresh_nodes as
select
    own.*, held.held_id as node_id, held.held_id, held.name as held_name, held.source_file as held_file,
    held.held_id is null or held.name <> own.name or held.kind <> own.kind as is_named_anew
from stage.nodes as own
left join held_nodes as held using (node_key)
where held.held_id is null or not (
    held.kind = own.kind and held.role is not distinct from own.role and held.name = own.name
    and held.schema is not distinct from own.schema and held.project is not distinct from own.project
    and held.source_file is not distinct from own.source_file
    and held.start_line is not distinct from own.start_line and held.end_line is not distinct from own.end_line
    and held.data_type = own.data_type and held.version is not distinct from own.version
    and held.is_external = own.is_external
);

create or replace temp table gone_nodes as
select held_id, node_key, kind, name, source_file as held_file
from held_nodes
anti join stage.nodes using (node_key);

create or replace temp table node_ids (held_id integer, node_id integer);
