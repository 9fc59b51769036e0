-- Words of code and of questions: identifiers whole, and their camel and snake parts. Character ranges instead
-- of classes such as \p{L}: those take milliseconds to compile, at every query.
create macro words(some_text) as
    regexp_extract_all(
        nfc_normalize(some_text),
        '[0-9A-Za-z_\x{C0}-\x{1FFF}\x{2C00}-\x{2FFF}\x{3040}-\x{FEFF}\x{10000}-\x{10FFFF}]+'
    );

create macro fold(word) as
    lower(strip_accents(left(trim(word, '_'), 64)));

create macro subwords(word) as
    string_split(
        fold(
            regexp_replace(
                regexp_replace(
                    strip_accents(word), '([a-z0-9łøßа-яёα-ω])([A-ZŁØА-ЯЁΑ-Ω])', '\1_\2', 'g'
                ),
                '([A-ZŁØА-ЯЁΑ-Ω])([A-ZŁØА-ЯЁΑ-Ω][a-złøßа-яёα-ω])', '\1_\2', 'g'
            )
        ),
        '_'
    );

create macro term_key(term) as
    ('0x' || md5(term)[1:15])::bigint;

-- Key of a name however it is written: OrderItem, order_item and [Order Item] are one.
create macro spelled_key(name) as
    term_key(nullif(fold(translate(name, '_ -', '')), ''));

-- Words that a question needs as a sentence and that tell nothing of what it asks for. One text to look into,
-- because a list of them takes longer to plan than the rest of a search.
create macro is_stop_word(term) as
    contains(
        ' a about also am an and any are as at be because been being but by can could did do does for from had happen '
        || 'happened happening happens has have he her here hers him himself his how i if in into is it its itself just '
        || 'may me might must my not of on or our ours please shall she should so some such than that the their theirs '
        || 'them themselves then there these they this those to us use used uses using very via was we were what when '
        || 'where whether which while who whose why will with would you your yours yourself ',
        ' ' || term || ' '
    );

-- A word without its English ending, for names that are compared as wholes: serializer and serialization are one.
create macro stem(term) as
    regexp_replace(
        term, '^(.{3,}?)(ations?|ings?|ers?|ors?|ies|ied|ed|es|e|s|y)$', '\1'
    );

create macro terms_of(some_words) as
    coalesce(list_distinct(list_filter(
        flatten(list_transform(some_words, lambda word: list_append(subwords(word), fold(word)))),
        lambda term: term <> ''
    )), []);

create macro parts_of(some_words) as
    coalesce(
        list_filter(flatten(list_transform(some_words, lambda word: subwords(word))), lambda term: term <> ''), []
    );

create macro stem_keys(terms) as
    list_distinct(list_transform(terms, lambda term: term_key(stem(term))));

-- What a question asks for, without stop words unless there is nothing else. In steps, because a macro's argument
-- is computed anew wherever the macro names it.
create macro question_terms(query_text) as table
    select
        case when len(telling_wholes) > 0 then telling_wholes else wholes end as wholes,
        case when len(telling_terms) > 0 then telling_terms else terms end as terms,
        parts
    from (
        select
            wholes, terms, parts,
            list_filter(wholes, lambda term: not is_stop_word(term)) as telling_wholes,
            list_filter(terms, lambda term: not is_stop_word(term)) as telling_terms
        from (
            select
                list_transform(some_words, lambda word: fold(word)) as wholes, terms_of(some_words) as terms,
                parts_of(some_words) as parts
            from (select words(query_text) as some_words)
        )
    );

-- Names that a question may spell out, as "customer balance" does CustomerBalance and customer_balance: each run of two
-- to eight of its words, with its share of those that tell something (`tells`: 1 or 0 for each). Both are to be columns, as
-- a macro computes what it is given as often as it names it.
create macro spelled_names(parts, tells) as
    flatten(list_transform(
        range(2, least(len(parts), 8) + 1),
        lambda size: list_transform(
            range(1, len(parts) - size + 2),
            lambda first: {
                'key': spelled_key(array_to_string(parts[first:first + size - 1], '')),
                'share': list_sum(tells[first:first + size - 1]) / greatest(list_sum(tells), 1)
            }
        )
    ));

create macro query_keys(query_text) as table
    select term, term_key(term) as term_key
    from (select unnest(terms) as term from question_terms(query_text));

comment on macro words is 'Words of a text: letters, digits and underscores.';
comment on macro fold is 'A word as it is compared: 64 characters, lower case, without accents and outer underscores.';
comment on macro subwords is 'Camel and snake parts of an identifier, folded: PlaceOrder_v2 gives place, order, v2.';
comment on macro term_key is 'Key of a term in the BM25 tables.';
comment on macro spelled_key is 'Key of a name however it is written: OrderItem, order_item and [Order Item] are one.';
comment on macro is_stop_word is 'Whether an English word tells nothing of what a question asks for.';
comment on macro stem is 'A folded word without its English ending, for comparing names.';
comment on macro terms_of is 'Distinct terms of words: the words folded, and their parts.';
comment on macro parts_of is 'Camel and snake parts of words, folded.';
comment on macro stem_keys is 'Keys of the stems of terms.';
comment on macro spelled_names is 'Runs of words that may spell out a name: keys, and shares of the telling words.';
comment on macro table question_terms is 'Telling words and terms of a question: wholes, terms; all words in order: parts.';
comment on macro table query_keys is 'Distinct telling terms of a question, with their keys.';
