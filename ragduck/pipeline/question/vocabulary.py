"""What a store calls things: the words that it has, and how rare they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from ragduck.pipeline.question.word_lists import STOP_WORDS
from ragduck.pipeline.question.words import forms_of, is_participle, is_trade_word, stem
from ragduck.resources import sql_text
from ragduck.search.snippets import WORD, fold, parts_of

Rows = Callable[[str, dict[str, object]], list[dict[str, Any]]]

NAME_MARKS = re.compile(r"[\[\]\"`@]|\|[A-Za-z_]+$")
LEAST_WEIGHT = 0.2  # of a word that stands in every chunk
SCHEMAS = frozenset({"dbo", "sys"})
MAX_WORDS = 64
UNKNOWN_PARTICIPLE = 0.5  # people and code say by different verbs what happens to a thing


@dataclass(frozen=True, slots=True)
class KnownWord:
    """A form of a word that the store has. ``rarity`` is 1 for a word of one chunk, near 0 for one of all."""

    form: str
    chunks: int
    rarity: float


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The words of a question as the store has them: by folded word its forms, the commonest first."""

    known: Mapping[str, tuple[KnownWord, ...]] = field(default_factory=dict)

    def knows(self, word: str) -> bool:
        """Whether the store has the very word."""
        return any(found.form == word for found in self.known.get(word, ()))

    def forms(self, word: str) -> tuple[str, ...]:
        """Return the forms of a word that the store has, the commonest first."""
        return tuple(found.form for found in self.known.get(word, ()))

    def weight(self, word: str) -> float:
        """Return how much a word tells: 1 for a thing that the store does not have, less the more chunks have it."""
        found = self.known.get(word)
        if found:
            return max(LEAST_WEIGHT, found[0].rarity)
        return UNKNOWN_PARTICIPLE if is_participle(word) else 1.0


def read_vocabulary(
    rows: Rows, texts: Iterable[str], *, known: dict[str, Mapping[str, Any] | None] | None = None
) -> Vocabulary:
    """Look up the words of texts, in all their forms, with one statement; ``known`` remembers what was looked up."""
    words = list(dict.fromkeys(word for text in texts for word in parts_in(text)))[:MAX_WORDS]
    forms = {word: forms_of(word) for word in words}
    asked = sorted({form for made in forms.values() for form in made})
    if not asked:
        return Vocabulary()
    remembered = {} if known is None else known
    new = [form for form in asked if form not in remembered]
    if new:
        remembered |= dict.fromkeys(new)
        remembered |= {row["term"]: row for row in rows(sql_text("pipeline/known_terms.sql"), {"terms": new})}
    found = {form: row for form in asked if (row := remembered[form])}
    return Vocabulary({word: _known(made, found) for word, made in forms.items()})


def _known(forms: Sequence[str], found: Mapping[str, Mapping[str, Any]]) -> tuple[KnownWord, ...]:
    rows = sorted(
        (found[form] for form in forms if form in found), key=lambda row: (-row["chunks"], row["term"])
    )
    return tuple(KnownWord(row["term"], row["chunks"], row["idf"] / row["top_idf"]) for row in rows)


@lru_cache(maxsize=4096)
def parts_in(text: str) -> tuple[str, ...]:
    """Return the folded parts of a concept: `dbo.Invoice_Create` gives invoice and create, `open amount` both."""
    parts = [
        fold(word[start:end])
        for word in WORD.findall(text)
        for start, end in parts_of(word)
        if end - start > 1
    ]
    telling = [part for part in parts if part not in SCHEMAS and part not in STOP_WORDS]
    distinct = [part for part in telling if not is_trade_word(part)] or telling
    return tuple(dict.fromkeys(distinct or parts))


@lru_cache(maxsize=65536)
def _stems_of_word(word: str) -> frozenset[str]:
    whole = stem(fold(word))
    return frozenset({whole, *(stem(fold(word[start:end])) for start, end in parts_of(word))})


def stems_in(text: str, wanted: Iterable[str]) -> frozenset[str]:
    """Return which of some stems are those of words of a text, or of camel and snake parts of its words."""
    asked = frozenset(wanted)
    found: set[str] = set()
    for word in set(WORD.findall(text)):
        lower = word.lower()
        if not word.isascii() or any(stem_of in lower for stem_of in asked):  # most words need no closer look
            found |= _stems_of_word(word) & asked
    return frozenset(found)


def plain_name(name: str) -> str:
    """Return a name as names are compared: small letters, without brackets, quotes and kind."""
    return NAME_MARKS.sub("", name).strip().casefold()


def last_name(key: str) -> str:
    """Return the last part of a node key's name, folded: order for `dbo.Order|TABLE`."""
    return re.split(r"[.:]", plain_name(key))[-1]
