-- One row per chunk. Written for vectors of 64 dimensions: ragduck puts the model's dimension in place of
-- float[64] and repeats each line so marked per 128 dimensions. While rows are written, metadata_ is null: DuckDB would
-- compute it for each of them, only to see that it can.
create table documents (
    node_id varchar primary key,
    text varchar not null,
    embedding float[64],
    doc_id varchar not null,
    id varchar not null,
    object_id varchar not null,
    chunk_no integer not null,
    repo varchar not null,
    branch varchar not null,
    project varchar,
    data_type varchar not null,
    file_type varchar not null,
    file_class varchar not null,
    source_file varchar not null,
    start_line integer not null,
    end_line integer not null,
    chunk_part integer not null,
    chunk_total integer not null,
    element_type varchar not null,
    element_name varchar not null,
    kind varchar,
    schema varchar,
    name varchar,
    db_key varchar,
    class varchar,
    member varchar,
    cs_key varchar,
    member_kind varchar,
    visibility varchar,
    signature varchar,
    node_key varchar not null,
    importance_score double not null default 1.0,
    content_hash varchar not null,
    reads_from varchar[],
    writes_to varchar[],
    calls varchar[],
    called_by varchar[],
    fk_dependencies varchar[],
    used_by_csharp varchar[],
    llamaindex_node varchar,
    sign_0 hugeint,  -- per 128 dimensions
    metadata_ generated always as (
        case
            when getvariable('ragduck_is_writing') then null
            when llamaindex_node is not null then json_merge_patch(
                json_extract(llamaindex_node, '$.metadata'),
                json_object(
                    '_node_type', json_extract_string(llamaindex_node, '$.class_name'),
                    '_node_content', llamaindex_node,
                    'document_id', coalesce(json_extract_string(llamaindex_node, '$.relationships."1".node_id'), 'None'),
                    'doc_id', coalesce(json_extract_string(llamaindex_node, '$.relationships."1".node_id'), 'None'),
                    'ref_doc_id', coalesce(json_extract_string(llamaindex_node, '$.relationships."1".node_id'), 'None')
                )
            )
            else json_object(
                'id', id, 'repo', repo, 'branch', branch, 'project', project, 'data_type', data_type,
                'file_type', file_type, 'file_class', file_class, 'source_file', source_file,
                'file_path', source_file, 'start_line', start_line, 'end_line', end_line,
                'element_type', element_type, 'element_name', element_name, 'kind', kind, 'schema', schema,
                'name', name, 'db_key', db_key, 'class', class, 'member', member, 'cs_key', cs_key,
                'node_key', node_key, 'signature', signature, 'importance_score', importance_score,
                'doc_id', doc_id, 'document_id', doc_id, 'ref_doc_id', doc_id, '_node_type', 'TextNode',
                '_node_content', json_object(
                    'id_', node_id, 'embedding', null, 'text', text, 'class_name', 'TextNode',
                    'excluded_embed_metadata_keys', [], 'excluded_llm_metadata_keys', [],
                    'metadata', json_object(
                        'id', id, 'repo', repo, 'branch', branch, 'file_path', source_file,
                        'start_line', start_line, 'end_line', end_line, 'element_name', element_name,
                        'data_type', data_type, 'file_type', file_type, 'node_key', node_key
                    ),
                    'relationships', json_object(
                        '1', json_object(
                            'node_id', doc_id, 'node_type', '4', 'metadata', json_object('file_path', source_file),
                            'class_name', 'RelatedNodeInfo'
                        )
                    )
                )::varchar
            )
        end
    )
);

create unique index documents_chunk_no on documents (chunk_no);

create index documents_node_key on documents (node_key);

comment on table documents is 'Chunks: runs of whole lines with their embedding and what they are; the unit of retrieval.';
comment on column documents.node_id is 'Stable hash of repo, branch, file, object and part; of an added node its own id.';
comment on column documents.text is 'Exactly lines start_line to end_line of the source document.';
comment on column documents.embedding is 'Unit vector of the embedding text; null for generated and vendored files and without a model.';
comment on column documents.doc_id is 'The file it was cut from: source_documents.doc_id.';
comment on column documents.id is 'Readable id, such as cs:Shop.OrderService.Place:part=0; @path marks a further definition of the same name.';
comment on column documents.object_id is 'The object it is a part of: its id without part and path.';
comment on column documents.chunk_no is 'Position in the file, from 1, in order of repo, branch, path and line; the key of the BM25 tables.';
comment on column documents.repo is 'Repository name.';
comment on column documents.branch is 'Branch or snapshot name.';
comment on column documents.project is 'Project that holds the file: csproj, sqlproj, package.json, pyproject.toml, go.mod or pom.xml.';
comment on column documents.data_type is 'regular_code, db_code or docs.';
comment on column documents.file_type is 'cs, razor, sql, ef_migration, md, json and so on.';
comment on column documents.file_class is 'source, test, generated, migration, config, docs or vendored.';
comment on column documents.source_file is 'Path from the root, with forward slashes.';
comment on column documents.start_line is 'First line, from 1.';
comment on column documents.end_line is 'Last line, inclusive.';
comment on column documents.chunk_part is 'Position among the chunks of the same object in the same file, from 0.';
comment on column documents.chunk_total is 'Number of chunks of the object in the file.';
comment on column documents.element_type is 'class, method, table, procedure, section, file and so on.';
comment on column documents.element_name is 'Name to show: InvoiceService.Create, dbo.Invoice_Create, a heading.';
comment on column documents.kind is 'TABLE VIEW PROC FUNC TRIGGER TYPE SEQUENCE SYNONYM INDEX METHOD PROPERTY FIELD FILE.';
comment on column documents.schema is 'Schema of a database object.';
comment on column documents.name is 'Last part of the object''s name.';
comment on column documents.db_key is 'Database object across databases: NopDb::dbo.Order_Insert.';
comment on column documents.class is 'Type that holds the member, or the type itself.';
comment on column documents.member is 'Method, property or field.';
comment on column documents.cs_key is 'Fully qualified C# name.';
comment on column documents.member_kind is 'Class, Interface, Method, Property, Field, Enum and so on.';
comment on column documents.visibility is 'public, internal, protected or private.';
comment on column documents.signature is 'Declaration without body; heading path of a section; names of packed members.';
comment on column documents.node_key is 'Node of the graph: dbo.Invoice|TABLE, csharp:MyApp.InvoiceService|TYPE.';
comment on column documents.importance_score is 'Factor of the score: 1, less for generated, vendored, migration and test files.';
comment on column documents.content_hash is 'Hash of the text that is embedded: equal hashes share one embedding.';
comment on column documents.reads_from is 'Keys of tables and views that it reads.';
comment on column documents.writes_to is 'Keys of tables that it writes.';
comment on column documents.calls is 'Keys of what it calls.';
comment on column documents.called_by is 'Keys of its callers.';
comment on column documents.fk_dependencies is 'Keys of tables tied to it by foreign keys.';
comment on column documents.used_by_csharp is 'C# keys that use this database object.';
comment on column documents.llamaindex_node is 'Node of LlamaIndex as which it was added, without its text; null for what prepare cut.';
comment on column documents.sign_0 is 'Signs of up to 128 embedding dimensions after the first 128 * 0 as bits: a coarse vector that is scanned first.';  -- per 128 dimensions
comment on column documents.metadata_ is 'The typed columns as JSON with the node of LlamaIndex; computed, takes no space.';
