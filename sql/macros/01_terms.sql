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

create macro query_keys(query_text) as table
    with query_words as (
        select unnest(words(query_text)) as word
    ),
    terms as (
        select distinct unnest(list_append(subwords(word), fold(word))) as term
        from query_words
    )
    select term, term_key(term) as term_key
    from terms
    where term <> '';

comment on macro words is 'Words of a text: letters, digits and underscores.';
comment on macro fold is 'A word as it is compared: 64 characters, lower case, without accents and outer underscores.';
comment on macro subwords is 'Camel and snake parts of an identifier, folded: PlaceOrder_v2 gives place, order, v2.';
comment on macro term_key is 'Key of a term in the BM25 tables.';
comment on macro table query_keys is 'Distinct terms of a question, whole words and their parts, with their keys.';
