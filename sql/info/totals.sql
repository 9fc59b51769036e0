-- How much the store holds.
select
    (select count(*) from snapshots) as snapshots,
    (select count(*) from source_documents) as files,
    (select count(*) from documents) as chunks,
    (select count(embedding) from documents) as vectors,
    (select count(*) from fts_terms) as terms,
    (select count(*) from fts_postings) as postings,
    (select count(*) from nodes) as nodes,
    (select count(*) from edges) as edges;
