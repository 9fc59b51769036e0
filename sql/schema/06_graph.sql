-- The graph: nodes, edges with their evidence, and what walks it fast.
create table nodes (
    node_id integer not null,
    node_key varchar not null,
    kind varchar not null,
    role varchar,
    name varchar not null,
    schema varchar,
    project varchar,
    source_file varchar,
    start_line integer,
    end_line integer,
    repo varchar not null,
    branch varchar not null,
    data_type varchar not null,
    version varchar,
    is_external boolean not null,
    definition_id integer
);

create table edges (
    edge_no integer not null,
    from_id integer not null,
    to_id integer not null,
    from_key varchar not null,
    to_key varchar not null,
    relation varchar not null,
    repo varchar not null,
    branch varchar not null,
    source_file varchar not null,
    line integer not null,
    snippet varchar,
    rule varchar not null,
    confidence double not null,
    detail varchar not null,
    sites integer not null
);

create table relations (
    relation varchar not null,
    weight double not null,
    edges bigint not null,
    description varchar not null
);

create table steps (
    step smallint not null,
    relation varchar not null,
    direction varchar not null,
    is_impact boolean not null
);

create table relation_aliases (
    alias varchar not null,
    relation varchar not null
);

create table links (
    node_id integer not null,
    step smallint not null,
    place integer not null,
    neighbour_id integer not null,
    snapshot_no smallint not null,
    weight integer not null,
    edge_no integer not null
);

create table node_names (
    name_key bigint not null,
    node_id integer not null,
    rank utinyint not null
);

comment on table nodes is 'Graph nodes: files, types, members and database objects, one row per key, repo and branch.';
comment on column nodes.node_id is 'Position in order of repo, branch and key, from 1; what edges and links refer to.';
comment on column nodes.node_key is 'dbo.Invoice|TABLE, csharp:Shop.OrderService.Place|METHOD, file:src/a.py|FILE.';
comment on column nodes.kind is 'TABLE VIEW PROC FUNC TRIGGER TYPE SEQUENCE SYNONYM INDEX FOREIGN_KEY METHOD PROPERTY FIELD DBSET MIGRATION FILE.';
comment on column nodes.role is 'ENTITY DBCONTEXT SERVICE REPOSITORY CONTROLLER ACTION JOB PROGRAM MIGRATION TEST, or null.';
comment on column nodes.name is 'Last part of the name.';
comment on column nodes.schema is 'Schema of a database object.';
comment on column nodes.project is 'Project that holds the file.';
comment on column nodes.source_file is 'Where it is defined; null for external nodes.';
comment on column nodes.start_line is 'First line, from 1.';
comment on column nodes.end_line is 'Last line, inclusive.';
comment on column nodes.repo is 'Repository name.';
comment on column nodes.branch is 'Branch or snapshot name.';
comment on column nodes.data_type is 'regular_code, db_code or docs.';
comment on column nodes.version is 'What orders migrations: 20240422143015.';
comment on column nodes.is_external is 'Referred to in this repository, but not defined in it.';
comment on column nodes.definition_id is 'Node of another repository that defines an external node; edges lead there.';
comment on table edges is 'Relations between nodes with the place that shows each and how sure it is.';
comment on column edges.edge_no is 'Position in order of from_id, relation and to_id, from 1.';
comment on column edges.from_id is 'nodes.node_id of from_key.';
comment on column edges.to_id is 'nodes.node_id of to_key, in another repository where that defines it.';
comment on column edges.from_key is 'Node that refers: the caller, the reader, the child table.';
comment on column edges.to_key is 'Node that is referred to: the callee, the table, the parent table.';
comment on column edges.relation is 'Calls, ReadsFrom, WritesTo and so on: see the table relations.';
comment on column edges.repo is 'Repository that shows it.';
comment on column edges.branch is 'Branch that shows it.';
comment on column edges.source_file is 'File that shows it.';
comment on column edges.line is 'Line that shows it first, from 1.';
comment on column edges.snippet is 'That line, trimmed, at most 300 characters.';
comment on column edges.rule is 'How it was found: receiver type, from, DbSet, interpolated name; operation of a SchemaChange.';
comment on column edges.confidence is 'How sure that is, at most 1.';
comment on column edges.detail is 'Columns or the foreign key that it is about.';
comment on column edges.sites is 'Number of places that say the same.';
comment on table relations is 'Kinds of edges.';
comment on column relations.relation is 'Name as edges have it.';
comment on column relations.weight is 'How telling an edge is when a walk has to choose, 0 to 1.';
comment on column relations.edges is 'Number of edges in this store.';
comment on column relations.description is 'What leads to what.';
comment on table steps is 'Ways to go on from a node: each relation along its edges and against them.';
comment on column steps.step is 'Key of the step in links.';
comment on column steps.relation is 'relations.relation.';
comment on column steps.direction is 'out along the edge, from the caller to what it calls; in against it.';
comment on column steps.is_impact is 'Whether a change of the node spreads this way.';
comment on table relation_aliases is 'Names that other systems and people give to relations.';
comment on column relation_aliases.alias is 'Lower case, letters and digits only: fk, csdep, referencedbyc.';
comment on column relation_aliases.relation is 'relations.relation; an alias may stand for several.';
comment on table links is 'Each edge seen from both ends, sorted by node: what walks read.';
comment on column links.node_id is 'The end it is seen from.';
comment on column links.step is 'steps.step: the relation and its direction as seen from this end.';
comment on column links.place is 'Position among the links of the node with this step, best first, from 1.';
comment on column links.neighbour_id is 'The other end.';
comment on column links.snapshot_no is 'snapshots.snapshot_no of the other end.';
comment on column links.weight is 'Relation''s weight times confidence, less the more links both ends have; times 10,000.';
comment on column links.edge_no is 'edges.edge_no of the surest edge that says so.';
comment on table node_names is 'Ways to write a node, sorted: whole key, name in full, last two parts, last part.';
comment on column node_names.name_key is 'term_key of the name in lower case without brackets and quotes.';
comment on column node_names.node_id is 'nodes.node_id.';
comment on column node_names.rank is '1 whole key, 2 name in full, 3 end of the name, 4 end of the name of a member, 5 name of a schema, 6 member that a type inherits, under its name; the least counts.';
