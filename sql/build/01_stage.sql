-- Tables that prepare fills before it writes the store: stage is in memory, saved is the work file.
create or replace table stage.snapshots (
    repo varchar, branch varchar, commit_sha varchar, root varchar, prepared_at timestamp,
    skipped bigint, problems bigint, fingerprint varchar
);

create or replace table stage.sources (
    doc_id varchar, file_path varchar, file_name varchar, text varchar, created_at timestamp,
    repo varchar, branch varchar, content_hash varchar, size bigint, mtime timestamp,
    language varchar, file_type varchar, file_class varchar, project varchar
);

create or replace table stage.chunks (
    object_id varchar, text varchar, doc_id varchar, repo varchar, branch varchar, project varchar,
    data_type varchar, file_type varchar, file_class varchar, source_file varchar,
    start_line integer, end_line integer, chunk_part integer, chunk_total integer,
    element_type varchar, element_name varchar, kind varchar, schema varchar, name varchar, db_key varchar,
    class varchar, member varchar, cs_key varchar, member_kind varchar, visibility varchar,
    signature varchar, node_key varchar, importance_score double, content_hash varchar,
    embedding_text varchar,
    node_id varchar, llamaindex_node varchar
);

-- Texts to embed of contents that were taken over from a store, which keeps only their hashes.
create or replace table stage.rebuilt (content_hash varchar, embedding_text varchar);

-- Contents whose vectors stay in the live file.
create or replace table stage.embedded (content_hash varchar);

create or replace table stage.nodes (
    repo varchar, branch varchar, node_key varchar, kind varchar, role varchar, name varchar, schema varchar,
    project varchar, source_file varchar, start_line integer, end_line integer, data_type varchar,
    version varchar, is_external boolean
);

create or replace table stage.edges (
    repo varchar, branch varchar, from_key varchar, to_key varchar, relation varchar, source_file varchar,
    line integer, rule varchar, confidence double, detail varchar, sites integer
);

-- Kept from an interrupted run: vectors are the costly part.
create table if not exists saved.embeddings (
    model varchar, content_hash varchar,
    sign_0 blob,  -- per 128 dimensions
    embedding float[64]
);
