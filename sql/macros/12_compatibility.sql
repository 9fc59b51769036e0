-- What sqlrooms-rag asks of the fts extension, answered by the tables of this file. `fields`, `k`, `b` and `conjunctive`
-- are accepted without effect: weights are computed when a store is made.
create macro fts_main_documents.match_bm25(
    docname, query_string, fields := null, k := 1.2, b := 0.75, conjunctive := false
) as (
    select scored.score
    from main.bm25_scores(query_string) as scored
    join main.documents as chunk on chunk.chunk_no = scored.chunk_no
    where chunk.node_id = docname
);

comment on macro fts_main_documents.match_bm25 is
    'BM25 score of a chunk as of the fts extension: match_bm25(node_id, ''place order''); null without a match.';
