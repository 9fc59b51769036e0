-- Weighted sum of the two scores, each scaled from 0 for the last hit to 1 for the first; equal ones are 1.
with keyword_scaled as (
    select
        *, coalesce((score - min(score) over ()) / nullif(max(score) over () - min(score) over (), 0), 1.0) as scaled
    from keyword_hits
),
vector_scaled as (
    select
        *, coalesce((score - min(score) over ()) / nullif(max(score) over () - min(score) over (), 0), 1.0) as scaled
    from vector_hits
)
select
    chunk_no,
    $vector_weight * coalesce(vector_scaled.scaled, 0.0)
    + (1 - $vector_weight) * coalesce(keyword_scaled.scaled, 0.0) as score,
    keyword_scaled.rank as bm25_rank, keyword_scaled.score as bm25_score,
    vector_scaled.rank as vector_rank, vector_scaled.cosine as vector_score
from keyword_scaled
full join vector_scaled using (chunk_no)
