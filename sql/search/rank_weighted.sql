-- Weighted sum of the two scores, each scaled from 0 for the last hit to 1 for the first.
with keyword_range as (
    select min(score) as low, greatest(max(score) - min(score), 1e-12) as width from keyword_hits
),
vector_range as (
    select min(score) as low, greatest(max(score) - min(score), 1e-12) as width from vector_hits
)
select
    chunk_no,
    coalesce(
        $vector_weight * (vector_hits.score - vector_range.low) / vector_range.width, 0.0
    )
    + coalesce(
        (1 - $vector_weight) * (keyword_hits.score - keyword_range.low) / keyword_range.width, 0.0
    ) as score,
    keyword_hits.rank as bm25_rank, keyword_hits.score as bm25_score,
    vector_hits.rank as vector_rank, vector_hits.score as vector_score
from keyword_hits
full join vector_hits using (chunk_no), keyword_range, vector_range
