"""Where words stand is remembered, as long as most files are as they were."""

from __future__ import annotations

from pathlib import Path

import pytest

from ragduck.preparation import known_words
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.known_words import known_words as words_of
from ragduck.preparation.known_words import packed_words, unpacked_words, words_to_keep
from tests.preparation.test_remembered_uses import SNAPSHOT, packed


def facts_of(cache: Path, **bodies: str) -> KnownFacts:
    texts = {
        f"Shop/{name}.cs": f"class {name} {{ void Go() {{ {body} }} }}\n" for name, body in bodies.items()
    }
    return KnownFacts(cache, SNAPSHOT, [packed(*one) for one in texts.items()])


def kept(cache: Path, **bodies: str) -> None:
    facts = facts_of(cache, **bodies)
    facts.table.write(words_to_keep(facts))


def test_words_are_known_of_files_that_are_as_they_were(tmp_path: Path) -> None:
    cache = tmp_path / "cache.sqlite3"
    kept(cache, Cart="lift.Up();", Till="lift.Down();")

    known = words_of(facts_of(cache, Cart="lift.Up();", Desk="lift.Up();"))

    assert known is not None
    assert known.statements.otherwise == known.heads.otherwise == {"Shop/Till.cs", "Shop/Desk.cs"}
    assert list(known.statements.words.holding(b"lift")) == ["Shop/Cart.cs", "Shop/Till.cs"]
    assert list(known.statements.words.holding(b"Down")) == ["Shop/Till.cs"]
    assert list(known.statements.words.holding(b"Downs")) == []
    assert list(known.heads.words.holding(b"Cart")) == ["Shop/Cart.cs"]


def test_words_are_kept_again_when_many_files_are_not_as_they_were(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(known_words, "MOST_OTHERWISE", 2)
    cache = tmp_path / "cache.sqlite3"
    kept(cache, A="lift.Up();", B="lift.Up();", C="lift.Up();")

    one, two, three = (
        facts_of(cache, **dict.fromkeys("ABC", "lift.Up();") | dict.fromkeys(names, "lift.Down();"))
        for names in ("A", "AB", "ABC")
    )

    assert [bool(words_to_keep(each)) for each in (one, two, three)] == [False, True, True]
    assert [words_of(each) is not None for each in (one, two, three)] == [True, True, False]


def test_words_that_are_not_whole_are_not_believed(tmp_path: Path) -> None:
    facts = facts_of(tmp_path / "cache.sqlite3", Cart="lift.Up();")
    data = packed_words(facts.packed, facts.digests, key=b"key")

    assert unpacked_words(data, facts.digests, key=b"key") is not None
    assert unpacked_words(data[:-1], facts.digests, key=b"key") is None
    assert unpacked_words(data, facts.digests, key=b"other") is None


def test_files_without_words_are_kept(tmp_path: Path) -> None:
    facts = KnownFacts(tmp_path / "cache.sqlite3", SNAPSHOT, [])

    known = unpacked_words(packed_words({}, {}, key=b"key"), facts.digests, key=b"key")

    assert known is not None
    assert list(known.statements.words.holding(b"lift")) == []
