-- BM25F in plain tables: what each field weighs, the terms, and in which chunks they occur how often.
create table fts_fields (
    field varchar primary key,
    weight double not null,
    b double not null,
    avg_length double not null,
    description varchar not null
);

create table fts_terms (
    term_key bigint not null,
    term varchar not null,
    chunks integer not null,
    idf double not null
);

create table fts_postings (
    term_key bigint not null,
    chunk_no integer not null,
    tf_content usmallint not null,
    tf_parts usmallint not null,
    tf_name usmallint not null,
    tf_path usmallint not null,
    weight float not null
);

create table fts_lengths (
    chunk_no integer not null,
    content integer not null,
    parts integer not null,
    name integer not null,
    path integer not null
);

comment on table fts_fields is 'Fields of a chunk that BM25 searches, with their weights.';
comment on column fts_fields.field is 'content, parts, name or path.';
comment on column fts_fields.weight is 'How much an occurrence in the field counts.';
comment on column fts_fields.b is 'How much the length of the field is normalised, 0 to 1.';
comment on column fts_fields.avg_length is 'Mean number of terms in the field, rounded to one percent where there are a thousand chunks or more.';
comment on column fts_fields.description is 'What the field holds.';
comment on table fts_terms is 'Dictionary of the search terms, sorted by key.';
comment on column fts_terms.term_key is 'term_key(term): first 60 bits of its MD5.';
comment on column fts_terms.term is 'Folded word: lower case, no accents.';
comment on column fts_terms.chunks is 'Number of chunks in which the term occurs.';
comment on column fts_terms.idf is 'ln(1 + (N - n + 0.5) / (n + 0.5)) of N chunks, n of them with the term; both rounded to one percent from a thousand on.';
comment on table fts_postings is 'Occurrences of a term in a chunk, sorted by term_key, with a weight ready to be summed.';
comment on column fts_postings.term_key is 'The term: fts_terms.term_key.';
comment on column fts_postings.chunk_no is 'The chunk: documents.chunk_no.';
comment on column fts_postings.tf_content is 'Occurrences as a whole word of the text.';
comment on column fts_postings.tf_parts is 'Occurrences as a part of a compound identifier of the text.';
comment on column fts_postings.tf_name is 'Occurrences in the element''s name.';
comment on column fts_postings.tf_path is 'Occurrences in the file''s stem and last two folders.';
comment on column fts_postings.weight is 'BM25F score of the term in the chunk, times the chunk''s importance.';
comment on table fts_lengths is 'Number of terms in each field of a chunk.';
comment on column fts_lengths.chunk_no is 'The chunk: documents.chunk_no.';
comment on column fts_lengths.content is 'Words of the text.';
comment on column fts_lengths.parts is 'Parts of compound identifiers of the text.';
comment on column fts_lengths.name is 'Terms of the element''s name.';
comment on column fts_lengths.path is 'Terms of the path.';
