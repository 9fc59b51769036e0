"""Texts that a question repeats as the code has them: messages in quotes, and keys such as `new-checkout-page`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.pipeline.question.words import MAX_TEXT, QUOTED

MAX_LITERALS = 3  # of a question that are looked for
LEAST_WORDS = 3  # of a message; fewer are names, or plain words
KEY = re.compile(r"(?<![\w/\\.-])[a-z0-9]+(?:[-:.][a-z0-9]+){2,12}(?![\w/\\-]|\.\w)", re.IGNORECASE)
LETTERS = re.compile(r"[^\W\d_]+")


def literals_of(question: str) -> tuple[tuple[str, bool], ...]:
    """Return the texts of a question that may stand in the code, and whether each is a whole literal there."""
    return tuple(dict.fromkeys(_literals(question[:MAX_TEXT])))[:MAX_LITERALS]


def _literals(text: str) -> Iterator[tuple[str, bool]]:
    for match in QUOTED.finditer(text):
        phrase = next(filter(None, match.groups())).strip()
        if len(LETTERS.findall(phrase)) >= LEAST_WORDS:
            yield phrase, KEY.fullmatch(phrase) is not None
    for match in KEY.finditer(text):
        if len(LETTERS.findall(match[0])) >= LEAST_WORDS:
            yield match[0], True
