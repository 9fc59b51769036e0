-- The map of the corpus: a part of the store that `ragduck map` adds, and that a prepare which changes the store leaves
-- out, because it would no longer fit.
create table map_facts (
    key varchar primary key,
    value varchar
);

create table map_points (
    point_no integer not null,
    node_id varchar not null,
    chunk_no integer,
    doc_id varchar not null,
    repo varchar not null,
    branch varchar not null,
    source_file varchar not null,
    start_line integer not null,
    end_line integer not null,
    title varchar not null,
    x float not null,
    y float not null,
    topic integer
);

create table map_topics (
    topic integer not null,
    name varchar not null,
    keywords varchar[] not null,
    points integer not null,
    x float not null,
    y float not null
);

create table map_links (
    doc_id varchar not null,
    repo varchar not null,
    branch varchar not null,
    source_file varchar not null,
    line integer not null,
    link_text varchar not null,
    target varchar not null,
    status varchar not null,
    target_doc_id varchar,
    target_file varchar,
    anchor varchar,
    target_line integer,
    source_point_no integer,
    target_point_no integer
);

create view map_link_degrees as
with ties as (
    select distinct doc_id, target_doc_id
    from map_links
    where target_doc_id is not null
        and target_doc_id <> doc_id
),
counted as (
    select target_doc_id as doc_id, 1 as indegree, 0 as outdegree from ties
    union all
    select doc_id, 0, 1 from ties
)
select
    file.doc_id, file.repo, file.branch, file.file_path,
    coalesce(sum(counted.indegree), 0)::integer as indegree,
    coalesce(sum(counted.outdegree), 0)::integer as outdegree
from source_documents as file
left join counted using (doc_id)
where file.language = 'markdown'
    or counted.doc_id is not null
group by file.doc_id, file.repo, file.branch, file.file_path;

create view corpus_map as
select
    point.node_id, point.title, file.file_name as "fileName", file.file_path,
    coalesce(chunk.text, file.text) as text, point.x, point.y,
    coalesce(degree.outdegree, 0) as outdegree, coalesce(degree.indegree, 0) as indegree,
    topic.name as topic, point.repo, point.branch, point.start_line, point.end_line
from map_points as point
join source_documents as file using (doc_id)
left join documents as chunk using (chunk_no)
left join map_link_degrees as degree on degree.doc_id = point.doc_id
left join map_topics as topic using (topic)
order by point.point_no;

comment on table map_facts is 'How the map was made: level, settings, counts, and the fingerprint of the vectors it shows.';
comment on column map_facts.key is 'Name of the entry.';
comment on column map_facts.value is 'Its value as text.';
comment on table map_points is 'Places of chunks, or files, in the plane: near ones have like vectors. Only distances within a neighbourhood mean anything.';
comment on column map_points.point_no is 'Position in the map, from 0, in reading order.';
comment on column map_points.node_id is 'The chunk: documents.node_id; of a map of files, source_documents.doc_id.';
comment on column map_points.chunk_no is 'The chunk: documents.chunk_no; null in a map of files.';
comment on column map_points.doc_id is 'The file: source_documents.doc_id.';
comment on column map_points.repo is 'Repository name.';
comment on column map_points.branch is 'Branch or snapshot name.';
comment on column map_points.source_file is 'Path from the root, with forward slashes.';
comment on column map_points.start_line is 'First line, from 1.';
comment on column map_points.end_line is 'Last line, inclusive.';
comment on column map_points.title is 'Name to show.';
comment on column map_points.x is 'First coordinate.';
comment on column map_points.y is 'Second coordinate.';
comment on column map_points.topic is 'The topic: map_topics.topic; null for points that lie between topics.';
comment on table map_topics is 'Dense regions of the map, the largest first.';
comment on column map_topics.topic is 'Number of the topic, from 0.';
comment on column map_topics.name is 'Its most telling keywords.';
comment on column map_topics.keywords is 'Terms that its chunks have and others have not, most telling first.';
comment on column map_topics.points is 'Number of its points.';
comment on column map_topics.x is 'Where its name stands: median of the first coordinate.';
comment on column map_topics.y is 'Where its name stands: median of the second coordinate.';
comment on table map_links is 'Links that Markdown files make to files and folders; those to other sites and within a file are left out.';
comment on column map_links.doc_id is 'The file with the link: source_documents.doc_id.';
comment on column map_links.repo is 'Repository name.';
comment on column map_links.branch is 'Branch or snapshot name.';
comment on column map_links.source_file is 'Path of the file with the link.';
comment on column map_links.line is 'Line of the link, from 1.';
comment on column map_links.link_text is 'Text of the link, shortened.';
comment on column map_links.target is 'Where it leads, as written.';
comment on column map_links.status is 'file; folder; absent, when nothing of that name is stored; outside, when it leaves the root.';
comment on column map_links.target_doc_id is 'The file that it leads to: source_documents.doc_id; for a folder its readme.';
comment on column map_links.target_file is 'Path that it leads to, whether or not it is stored.';
comment on column map_links.anchor is 'What stands after the #.';
comment on column map_links.target_line is 'Line of the heading that the anchor names, else 1; null when no file is stored.';
comment on column map_links.source_point_no is 'Point that holds the link: map_points.point_no; null when it is not on the map.';
comment on column map_links.target_point_no is 'Point that it leads to: map_points.point_no; null when it is not on the map.';
comment on view map_link_degrees is 'Markdown files and those they link to: how many files link to each, and how many it links to.';
comment on view corpus_map is 'The map with texts, in the columns of sqlrooms-rag''s Parquet file and those that say where.';
