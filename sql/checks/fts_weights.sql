-- Postings whose weight does not follow from occurrences, idf and lengths and importance by the formula of BM25F.
with parameters as (
    select
        (select value::double from ragduck_meta where key = 'bm25_k1') as k1,
        max(weight) filter (field = 'content') as content_weight, max(b) filter (field = 'content') as content_b,
        max(avg_length) filter (field = 'content') as content_mean,
        max(weight) filter (field = 'parts') as parts_weight, max(b) filter (field = 'parts') as parts_b,
        max(avg_length) filter (field = 'parts') as parts_mean,
        max(weight) filter (field = 'name') as name_weight, max(b) filter (field = 'name') as name_b,
        max(avg_length) filter (field = 'name') as name_mean,
        max(weight) filter (field = 'path') as path_weight, max(b) filter (field = 'path') as path_b,
        max(avg_length) filter (field = 'path') as path_mean
    from fts_fields
),
norms as (
    select
        chunk_no, k1,
        content_weight / (1 - content_b + content_b * content / content_mean) as content_norm,
        parts_weight / (1 - parts_b + parts_b * parts / parts_mean) as parts_norm,
        name_weight / (1 - name_b + name_b * name / name_mean) as name_norm,
        path_weight / (1 - path_b + path_b * path / path_mean) as path_norm
    from fts_lengths, parameters
),
frequencies as (
    select
        posting.term_key, posting.chunk_no, posting.weight, norms.k1,
        posting.tf_content * norms.content_norm + posting.tf_parts * norms.parts_norm
        + posting.tf_name * norms.name_norm + posting.tf_path * norms.path_norm as tf
    from fts_postings as posting
    join norms using (chunk_no)
),
formula as (
    select *, idf * tf * (k1 + 1) / (tf + k1) * importance_score as expected
    from frequencies
    join (select term_key, idf from fts_terms) using (term_key)
    join (select chunk_no, importance_score from documents) using (chunk_no)
)
select term_key, chunk_no, weight, expected
from formula
where not abs(weight - expected) <= 1e-5 * expected
order by term_key, chunk_no
