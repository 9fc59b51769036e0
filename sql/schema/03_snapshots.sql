-- One row per repository and branch.
create table snapshots (
    snapshot_no smallint not null,
    repo varchar not null,
    branch varchar not null,
    commit_sha varchar,
    root varchar not null,
    prepared_at timestamp not null,
    files bigint not null,
    chunks bigint not null,
    nodes bigint not null,
    edges bigint not null,
    skipped bigint not null,
    problems bigint not null,
    fingerprint varchar not null,
    primary key (repo, branch)
);

comment on table snapshots is 'What the store holds: one row per repository and branch.';
comment on column snapshots.snapshot_no is 'Position in order of repo and branch, from 1.';
comment on column snapshots.repo is 'Repository name.';
comment on column snapshots.branch is 'Branch or snapshot name.';
comment on column snapshots.commit_sha is 'Commit of the checkout; null outside git.';
comment on column snapshots.root is 'Name of the folder it was read from.';
comment on column snapshots.prepared_at is 'When it was prepared, UTC.';
comment on column snapshots.files is 'Files stored.';
comment on column snapshots.chunks is 'Chunks stored.';
comment on column snapshots.nodes is 'Graph nodes stored, external ones included.';
comment on column snapshots.edges is 'Graph edges that its files show.';
comment on column snapshots.skipped is 'Files left out, but those that git keeps for itself; the report of prepare names them.';
comment on column snapshots.fingerprint is 'Hash of path, size and time of each file and of the settings: equal means nothing changed.';
comment on column snapshots.problems is 'Files with a place that no parser understood.';
