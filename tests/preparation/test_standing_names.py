"""A name is found among the packed words of many files at once as it is in each of them."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from ragduck.preparation.standing_names import MANY_NAMES, Known, PackedTexts, places_of_words, stands_in

pieces = st.lists(
    st.sampled_from(
        (
            b"ab",
            b"a",
            b"b",
            b"abc",
            b"_",
            b"1",
            b"\0",
            b"\x8c",
            b"\x8c\x02",
            b"\x8cA",
            b"A",
            b"\xc3\xa9",
            b"<",
            b" ",
        )
    ),
    max_size=8,
).map(b"".join)


@given(st.sampled_from((b"ab", b"a", b"aba", b"\xc3\xa9", b"a_b")), st.lists(pieces, max_size=6))
@example(b"a", [b"\x8c", b"a"])  # which would be the length of a text, were nothing between
@example(b"ab", [b"a", b"b"])
@example(b"a", [b"a", b"", b"a"])
@example(b"a", [])
@example(b"", [])
def test_names_are_found_in_many_texts_as_in_each(name: bytes, texts: list[bytes]) -> None:
    by_path = {str(place): text for place, text in enumerate(texts)}

    found = list(PackedTexts(by_path, by_path.__getitem__).holding(name))

    assert found == [path for path, text in by_path.items() if name and stands_in(name, text)]


@given(st.sampled_from((b"ab", b"abc", b"aab", b"abcb", b"_ab", b"\xc3\xa9ab")), st.lists(pieces, max_size=6))
@example(b"abc", [b"\x8cAabc", b"Aabc", b"abc\x94", b"<abc>"])
@example(b"abc", [b"\x8c\x8cabc", b"K\x8c\x8cAabc"])  # 140 bytes; 65 after a line of that number
def test_names_are_found_in_the_same_texts_where_many_are_looked_for(name: bytes, texts: list[bytes]) -> None:
    by_path = {str(place): text for place, text in enumerate(texts)}
    among = PackedTexts(by_path, by_path.__getitem__)
    for _ in range(MANY_NAMES):
        among.holding(b"other")

    found = list(among.holding(name))

    standing = [path for path, text in by_path.items() if stands_in(name, text)]
    plain = [path for path, text in by_path.items() if text.isascii() and b"1" not in text]
    assert {*found} >= {*standing}
    assert [path for path in found if path in plain] == [path for path in standing if path in plain]


@given(
    st.sampled_from((b"ab", b"abc", b"aab", b"abcb", b"_ab", b"\xc3\xa9ab")),
    st.lists(pieces, max_size=6),
    st.lists(pieces, max_size=6),
)
@example(b"abc", [b"<abc>", b"abc"], [b"<abc>", b"b", b"abc"])
def test_names_are_found_in_the_same_texts_where_words_of_others_are_known(
    name: bytes, before: list[bytes], now: list[bytes]
) -> None:
    old, texts = ({str(place): text for place, text in enumerate(each)} for each in (before, now))
    otherwise = frozenset(path for path, _ in old.items() ^ texts.items())
    places = places_of_words(before)

    class Words:
        def holding(self, word: bytes) -> list[str]:
            return [str(place) for place in places.get(word, ())]

    found = set(PackedTexts(texts, texts.__getitem__, Known(Words(), otherwise)).holding(name))

    standing = {path for path, text in texts.items() if stands_in(name, text)}
    plain = {path for path, text in texts.items() if text.isascii() and b"1" not in text}
    assert found >= standing
    assert found & plain == standing & plain
