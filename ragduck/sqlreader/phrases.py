"""Know the phrases of SQL that are made of words which are no keywords by themselves."""

from __future__ import annotations

from collections.abc import Sequence

from ragduck.sqlreader.definitions import word, words
from ragduck.sqlreader.tokens import Token

_PHRASES = (
    ("ISOLATION", "LEVEL", "READ", "UNCOMMITTED"),
    ("ISOLATION", "LEVEL", "READ", "COMMITTED"),
    ("ISOLATION", "LEVEL", "REPEATABLE", "READ"),
    ("ISOLATION", "LEVEL", "SERIALIZABLE"),
    ("ISOLATION", "LEVEL", "SNAPSHOT"),
    ("AT", "TIME", "ZONE"),
)
_BEGINNINGS = {phrase[0] for phrase in _PHRASES}
_CURSOR_OPTIONS = words(
    "LOCAL GLOBAL FORWARD_ONLY SCROLL STATIC KEYSET DYNAMIC FAST_FORWARD READ_ONLY SCROLL_LOCKS OPTIMISTIC"
    " TYPE_WARNING INSENSITIVE"
)


def after_phrase(tokens: Sequence[Token], at: int) -> int:
    """Return the position after the phrase that begins at a position, the same where none does.

    A cursor needs its FOR: `cursor local static for` is none of English, `cursor` alone may be.
    """
    keyword = word(tokens, at)
    if keyword == "CURSOR" or keyword in _CURSOR_OPTIONS:
        return _after_cursor(tokens, at)
    if keyword in _BEGINNINGS:
        for phrase in _PHRASES:
            if all(word(tokens, at + place) == part for place, part in enumerate(phrase)):
                return at + len(phrase)
    return at


def _after_cursor(tokens: Sequence[Token], at: int) -> int:
    end = at
    while word(tokens, end) in _CURSOR_OPTIONS:
        end += 1
    if word(tokens, end) != "CURSOR":
        return at
    end += 1
    while word(tokens, end) in _CURSOR_OPTIONS:
        end += 1
    return end if word(tokens, end) == "FOR" else at
