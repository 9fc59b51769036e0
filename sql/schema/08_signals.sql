-- What ranks a chunk beside its text. Read for every hit, so the tables are narrow: keys of terms, not texts.
create table chunk_signals (
    chunk_no integer not null,
    file_no integer not null,
    name_key bigint,
    spelled_key bigint,
    member_keys bigint[],
    is_member boolean not null,
    type_head boolean not null,
    file_class varchar not null,
    class_key bigint not null,
    centrality double not null,
    loose_chunks integer not null
);

create table file_terms (
    stem_key bigint not null,
    file_no integer not null,
    file_share double not null,
    folder_share double not null,
    rarity double not null
);

comment on table chunk_signals is 'What ranks a chunk beside its text; see the macro ranking().';
comment on column chunk_signals.chunk_no is 'The chunk: documents.chunk_no.';
comment on column chunk_signals.file_no is 'Its file: position among those that have chunks, from 1.';
comment on column chunk_signals.name_key is 'term_key of the folded name that it defines; null for files and sections.';
comment on column chunk_signals.spelled_key is 'spelled_key of that name, which is the same however it is written.';
comment on column chunk_signals.member_keys is 'The same of members that it declares beside others, but of those called as a type is; null where there are none.';
comment on column chunk_signals.is_member is 'Whether it is a method, property or field.';
comment on column chunk_signals.type_head is 'Whether it is the first chunk of a type, table or view.';
comment on column chunk_signals.file_class is 'source, test, generated, migration, config, docs or vendored.';
comment on column chunk_signals.class_key is 'term_key of the stem of the file class, to see whether a question asks for it.';
comment on column chunk_signals.centrality is 'ln(1 + edges into the nodes of the file), containment left out.';
comment on column chunk_signals.loose_chunks is 'Chunks of its file if that is a script or data, where neighbours may be of something else; 0 for code and docs.';
comment on table file_terms is 'In which names of files and folders the stem of a term occurs, sorted by key.';
comment on column file_terms.stem_key is 'term_key of the stem.';
comment on column file_terms.file_no is 'The file: chunk_signals.file_no.';
comment on column file_terms.file_share is 'Its share of the stems in the file''s name without extension; 0 when it is not there.';
comment on column file_terms.folder_share is 'Its share of the stems in the names of the last two folders; 0 when it is not there.';
comment on column file_terms.rarity is '1 for a stem in the name of one file only, 0 for one in all of them: ln(files / files with it) / ln(files).';
