-- A wide pool by meaning, put in order by cosine and the keyword score of its own chunks.
with keyword_scores as (
    select chunk_no, score
    from bm25_scores($query_text)
    where chunk_no in (select chunk_no from hits)
),
best as (
    select greatest(max(score), 1e-12) as score from keyword_scores
)
select
    chunk_no,
    $alpha * hits.weighted_score + $beta * coalesce(keyword_scores.score / best.score, 0.0) as score,
    if(
        keyword_scores.score is null, null,
        row_number() over (order by keyword_scores.score desc nulls last, chunk_no)
    ) as bm25_rank,
    keyword_scores.score as bm25_score,
    vector_rank, vector_score
from hits
left join keyword_scores using (chunk_no), best
