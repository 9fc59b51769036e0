-- Ranking of the hits of both sides by reciprocal rank (Cormack et al. 2009) and signals. Reads hits with the columns
-- of chunk_signals and named_files.sql, and asked, one row of question(): no table, so that a search plans it once.
-- Every part is a summand of the score. What is changed here has to be changed in ragduck/search/loaded_ranking.py.
-- Two things keep it fast in a stored macro: hits are numbered in one order of files and then grouped, as a window over
-- each file takes as long as all the rest; and what is read once is a subquery, as DuckDB takes milliseconds to put a
-- WITH in its place.
with numbered as materialized (
    select
        *,
        row_number() over (
            order by
                file_no, keyword_part + vector_part + coverage_part + definition_part + type_part desc,
                vector_rank nulls last, bm25_rank nulls last, chunk_no
        ) as place
    from (
        select
            chunk_no, file_no, loose_chunks, file_share, folder_share, rarity, bm25_rank, vector_rank,
            coalesce((asked.rrf_k + 1) / (asked.rrf_k + bm25_rank), 0.0) as keyword_place,
            coalesce((asked.rrf_k + 1) / (asked.rrf_k + vector_rank), 0.0) as vector_place,
            (1 - asked.vector_share)
            * (keyword_place + case bm25_rank when 1 then asked.first_place else 0 end) as keyword_part,
            asked.vector_share
            * (vector_place + case vector_rank when 1 then asked.first_place else 0 end) as vector_part,
            case when list_contains(asked.quoted_chunks, chunk_no) then asked.quoted_weight else 0 end
            + case
                when bm25_terms >= asked.min_coverage * asked.terms
                then asked.coverage_weight * keyword_place * least(greatest(asked.terms - 2, 0) / asked.coverage_terms, 1)
                else 0
            end as coverage_part,
            case
                when list_contains(asked.word_keys, name_key)
                then asked.definition_weight * case when is_member then asked.member_definition else 1 end
                when list_has_any(member_keys, asked.word_keys)
                then asked.definition_weight * asked.packed_definition
                else 0
            end as word_part,
            coalesce(asked.spelled_shares[list_position(asked.spelled_keys, spelled_key)], 0) as own_share,
            coalesce(
                list_max(list_transform(
                    list_intersect(member_keys, asked.spelled_keys),
                    lambda key: asked.spelled_shares[list_position(asked.spelled_keys, key)]
                )),
                0
            ) as member_share,
            asked.spelled_weight * greatest(
                case when own_share >= asked.min_spelled then own_share else 0 end
                * case when is_member then asked.member_definition else 1 end,
                case when member_share >= asked.min_spelled then member_share else 0 end * asked.packed_definition
            ) as spelled_part,
            greatest(word_part, spelled_part) as definition_part,
            case when type_head then asked.type_head_weight else 0 end as type_part,
            asked.centrality_weight * centrality as centrality_part,
            case
                when list_contains(asked.stem_keys, class_key) then 0
                when file_class = 'test' then -asked.test_penalty
                when file_class = 'migration' then -asked.migration_penalty
                when file_class in ('generated', 'vendored') then -asked.generated_penalty
                else 0
            end as class_part,
            (1 - asked.evidence_share) * keyword_place + asked.evidence_share * vector_place as evidence
        from hits, asked
    )
)
select
    chunk_no, bm25_rank, vector_rank,
    total * case when total > 0 then same_file_factor else 1 end as score,
    {
        'bm25': keyword_part, 'vector': vector_part, 'coverage': coverage_part, 'definition': definition_part,
        'type_head': type_part, 'file_name': file_part, 'folder_name': folder_part, 'file_evidence': evidence_part,
        'centrality': centrality_part, 'file_class': class_part,
        'same_file': case when total > 0 then total * (same_file_factor - 1) else 0 end
    } as score_parts
from (
    select
        *,
        keyword_part + vector_part + coverage_part + definition_part + type_part + file_part + folder_part
        + evidence_part + centrality_part + class_part as total
    from (
        select
            numbered.*,
            case
                when numbered.file_share >= asked.min_file_name
                then asked.file_name * numbered.file_share * least(numbered.rarity, 1)
                else 0
            end as file_part,
            coalesce(asked.folder_name * numbered.folder_share, 0) as folder_part,
            (files.evidence - numbered.evidence)
            * case when loose_chunks > asked.loose_file then asked.loose_file / loose_chunks else 1 end as others,
            case when others > 0 then asked.file_evidence * others / (others + asked.file_evidence_half) else 0 end
                as evidence_part,
            case
                when list_contains(asked.placed_chunks, chunk_no) then 1
                else asked.same_file ** (place - files.first_place)
            end as same_file_factor
        from numbered
        join (
            select file_no, sum(evidence) as evidence, min(place) as first_place
            from numbered
            group by file_no
        ) as files using (file_no), asked
    )
)
