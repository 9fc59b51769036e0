-- What the file is and how it was made.
create table embedding_metadata (
    key varchar primary key,
    value varchar,
    created_at timestamp not null
);

create table ragduck_meta (
    key varchar primary key,
    value varchar
);

comment on table embedding_metadata is 'Model, chunking and counts, under the names that sqlrooms-rag uses.';
comment on column embedding_metadata.key is 'Name of the entry.';
comment on column embedding_metadata.value is 'Its value as text.';
comment on column embedding_metadata.created_at is 'When the store was written, UTC.';
comment on table ragduck_meta is 'Versions, model, search parameters and counts of this store.';
comment on column ragduck_meta.key is 'Name of the entry.';
comment on column ragduck_meta.value is 'Its value as text.';
