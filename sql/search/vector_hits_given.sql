-- Nearest chunks that a mirror of the vectors found, best first.
select
    unnest($hit_chunks::integer[]) as chunk_no, unnest($hit_cosines::double[]) as cosine,
    unnest($hit_scores::double[]) as score, unnest(range(1, len($hit_chunks::integer[]) + 1)) as rank
