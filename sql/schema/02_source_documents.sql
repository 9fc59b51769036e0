-- One row per file of a branch: the whole text, from which any lines can be shown again.
create table source_documents (
    doc_id varchar primary key,
    file_path varchar not null,
    file_name varchar not null,
    text varchar not null,
    created_at timestamp not null,
    repo varchar not null,
    branch varchar not null,
    content_hash varchar not null,
    size bigint not null,
    mtime timestamp,
    language varchar not null,
    file_type varchar not null,
    file_class varchar not null,
    project varchar,
    metadata_ generated always as (
        json_object(
            'file_path', file_path, 'file_name', file_name, 'repo', repo, 'branch', branch,
            'language', language, 'file_class', file_class, 'project', project, 'size', size
        )
    )
);

comment on table source_documents is 'Files: the whole decoded text with LF line ends.';
comment on column source_documents.doc_id is 'Stable hash of repo, branch and path.';
comment on column source_documents.file_path is 'Path from the root, with forward slashes.';
comment on column source_documents.file_name is 'Last part of the path.';
comment on column source_documents.text is 'Decoded text, LF line ends, no byte order mark.';
comment on column source_documents.created_at is 'When the row was prepared, UTC.';
comment on column source_documents.repo is 'Repository name.';
comment on column source_documents.branch is 'Branch or snapshot name.';
comment on column source_documents.content_hash is 'Hash of the decoded text.';
comment on column source_documents.size is 'Bytes on disk.';
comment on column source_documents.mtime is 'Time of last change on disk, UTC.';
comment on column source_documents.language is 'csharp, sql, razor, markdown and so on.';
comment on column source_documents.file_type is 'cs, razor, sql, md, json and so on.';
comment on column source_documents.file_class is 'source, test, generated, migration, config, docs or vendored.';
comment on column source_documents.project is 'Project that holds the file.';
comment on column source_documents.metadata_ is 'The columns as JSON; computed, takes no space.';
