-- How hits are ranked: every parameter with its default, in units of a first place on both sides. Set one for a
-- query with hybrid(..., settings := ranking(definition := 0)), for a store by creating this macro again.
create macro ranking(
    rrf_k := 20,  -- flattens the difference between first places
    symbol_vector_weight := 0.3,  -- share of the vector side when a question is one word or name
    mixed_vector_weight := 0.25,  -- share when names and words are mixed
    plain_vector_weight := 0.8,  -- share when there are only plain words
    first_place := 0.05,  -- for the first of a side
    coverage := 2.0,  -- has nearly all terms of a question of several words: times its place by keyword
    min_coverage := 0.9,  -- share of the terms from which on it counts
    coverage_terms := 6,  -- terms beyond two from which on it counts in full: of fewer, times (terms - 2) / coverage_terms
    quoted := 3.0,  -- holds literally what stands in double quotes: on top of coverage
    definition := 2.0,  -- defines the one name that is asked for
    other_case := 0.5,  -- factor of that for a name that is written with other underscores: order_item for OrderItem
    mixed_definition := 0.5,  -- defines a name among other words
    spelled_definition := 2.0,  -- defines a name that is spelled out in words: times their share of the question
    min_spelled := 0.6,  -- share from which on it counts
    member_definition := 0.5,  -- factor of these for methods, properties and fields
    packed_definition := 0.4,  -- factor of these for small members that share a chunk
    type_head := 0.1,  -- where a type, or the definition of an object of the database, begins
    file_name := 0.6,  -- the words of the file's name are asked for: times their share and rarity
    min_file_name := 0.5,  -- share from which on they count
    folder_name := 0.3,  -- the words of the last two folders are asked for: times their share
    file_evidence := 1.2,  -- other chunks of the file match too: times evidence / (evidence + file_evidence_half)
    file_evidence_half := 4.0,  -- evidence that gives half: first places of other chunks
    loose_file := 10,  -- chunks from which on a script or data file makes that evidence less: times loose_file / chunks
    file_vector_weight := 0.4,  -- share of the vector side in that evidence
    centrality := 0.07,  -- times ln(1 + edges that come into the file's nodes)
    test_penalty := 0.2,  -- tests, unless asked for
    migration_penalty := 0.3,  -- migrations, unless asked for
    generated_penalty := 0.4,  -- generated and vendored files, unless asked for
    same_file := 0.4  -- factor of each further chunk of a file
) as {
    'rrf_k': rrf_k::double,
    'symbol_vector_weight': symbol_vector_weight::double,
    'mixed_vector_weight': mixed_vector_weight::double,
    'plain_vector_weight': plain_vector_weight::double,
    'first_place': first_place::double,
    'coverage': coverage::double,
    'min_coverage': min_coverage::double,
    'coverage_terms': coverage_terms::double,
    'quoted': quoted::double,
    'definition': definition::double,
    'other_case': other_case::double,
    'mixed_definition': mixed_definition::double,
    'spelled_definition': spelled_definition::double,
    'min_spelled': min_spelled::double,
    'member_definition': member_definition::double,
    'packed_definition': packed_definition::double,
    'type_head': type_head::double,
    'file_name': file_name::double,
    'min_file_name': min_file_name::double,
    'folder_name': folder_name::double,
    'file_evidence': file_evidence::double,
    'file_evidence_half': file_evidence_half::double,
    'loose_file': loose_file::double,
    'file_vector_weight': file_vector_weight::double,
    'centrality': centrality::double,
    'test_penalty': test_penalty::double,
    'migration_penalty': migration_penalty::double,
    'generated_penalty': generated_penalty::double,
    'same_file': same_file::double
};

-- A question is a symbol when it is one word, mixed when it has a name among its words, else plain.
create macro question_class(query_text) as
    case
        when not regexp_matches(trim(query_text), '\s') then 'symbol'
        when regexp_matches(
            query_text, '[a-z0-9][A-Z]|[A-Z]{2,}[a-z]|[A-Za-z0-9]_[A-Za-z0-9]|[A-Za-z][0-9]|[A-Za-z0-9]{2}\.[A-Za-z0-9]{2}'
        ) then 'mixed'
        else 'plain'
    end;

-- What a question asks for, as the keys that chunk_signals holds. Names that a word spells are chosen from a list: with
-- `case` around them, DuckDB 2.0 computes all that they are made of once more in each branch.
create macro question_keys(query_text) as table
    select
        class,
        -- of a qualified name its last part is what is asked for
        list_transform(case class when 'symbol' then wholes[-1:] else wholes end, lambda term: term_key(term))
            as word_keys,
        list_transform(terms, lambda term: term_key(term)) as term_keys,
        stem_keys(terms) as stem_keys,
        [
            list_transform(spelled, lambda name: name.key),
            list_transform(wholes[-1:], lambda word: term_key(replace(word, '_', '')))  -- spelled_key, but never null
        ][1 + (class = 'symbol')::integer] as spelled_keys,
        [list_transform(spelled, lambda name: name.share), [1.0::double]][1 + (class = 'symbol')::integer]
            as spelled_shares
    from (
        select class, wholes, terms, spelled_names(parts, tells) as spelled
        from (
            select *, list_transform(parts, lambda term: (not is_stop_word(term))::integer) as tells
            from (
                select
                    question_class(query_text) as class, wholes, terms,
                    case when len(parts) > 24 then [] else parts end as parts  -- no name is spelled by most of so many
                from question_terms(query_text)
            )
        )
    );

-- One row per class of questions: what weighs how much.
create macro question_weights(settings := null, side := 'both') as table
    select
        class,
        case
            when side = 'bm25' then 0
            when side = 'vector' then 1
            when class = 'symbol' then weights.symbol_vector_weight
            when class = 'mixed' then weights.mixed_vector_weight
            else weights.plain_vector_weight
        end as vector_share,
        case side when 'bm25' then 0 when 'vector' then 1 else weights.file_vector_weight end as evidence_share,
        case class when 'symbol' then 0 else weights.coverage end as coverage_weight,
        case class when 'symbol' then weights.definition when 'mixed' then weights.mixed_definition else 0 end
            as definition_weight,
        case class when 'symbol' then weights.definition * weights.other_case else weights.spelled_definition end
            as spelled_weight,
        weights.rrf_k, weights.first_place, weights.min_coverage, weights.coverage_terms, weights.quoted as quoted_weight,
        weights.min_spelled, weights.member_definition, weights.packed_definition, weights.type_head as type_head_weight,
        weights.file_name, weights.min_file_name, weights.folder_name, weights.file_evidence,
        weights.file_evidence_half, weights.loose_file, weights.centrality as centrality_weight, weights.test_penalty,
        weights.migration_penalty, weights.generated_penalty, weights.same_file
    from (select unnest(['symbol', 'mixed', 'plain']) as class, coalesce(settings, ranking()) as weights);

-- One row: both.
create macro question(query_text, settings := null, side := 'both') as table
    select *
    from question_keys(query_text)
    join question_weights(settings := settings, side := side) using (class);

comment on macro ranking is 'Parameters of the ranking, to be changed one by one: ranking(definition := 0).';
comment on macro question_class is 'symbol, mixed or plain: decides the weights of the two sides.';
comment on macro table question_keys is 'What a question asks for: class, word_keys, term_keys, stem_keys, spelled_keys with spelled_shares.';
comment on macro table question_weights is 'What weighs how much for a question of each class; side is both, bm25 or vector.';
comment on macro table question is 'What a question asks for, and what weighs how much for it; side is both, bm25 or vector.';
