-- BM25F index: words per field, their terms, and a weight per term and chunk (Robertson and Zaragoza 2009).
drop table numbered_nodes;
drop table numbered_chunks;
drop table chunk_files;
drop table chunk_places;
drop table chunk_lists;
drop table if exists chunk_vectors;
drop table node_entries;
drop table stage.chunks;

insert into fts_fields
values
    ('content', 1.0, 0.75, 0, 'whole words of the text'),
    ('parts', 1.0, 0.75, 0, 'camel and snake parts of compound identifiers of the text'),
    ('name', 4.0, 0.5, 0, 'words and parts of the element''s name or heading path'),
    ('path', 4.0, 0.5, 0, 'words and parts of the file''s stem and last two folders');
