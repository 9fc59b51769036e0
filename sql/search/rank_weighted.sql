-- Weighted sum of the two scores, each scaled from 0 for the last hit to 1 for the first; equal ones are 1.
with scaled as (
    select
        *,
        coalesce(
            (weighted_score - min(weighted_score) over ())
            / nullif(max(weighted_score) over () - min(weighted_score) over (), 0),
            if(vector_rank is null, 0.0, 1.0)
        ) as vector_scaled,
        coalesce(
            (bm25_score - min(bm25_score) over ()) / nullif(max(bm25_score) over () - min(bm25_score) over (), 0),
            if(bm25_rank is null, 0.0, 1.0)
        ) as bm25_scaled
    from hits
)
select
    chunk_no, setting.vector_weight * vector_scaled + (1 - setting.vector_weight) * bm25_scaled as score,
    bm25_rank, bm25_score, vector_rank, vector_score
from scaled, (select $vector_weight::varchar::double as vector_weight) as setting
