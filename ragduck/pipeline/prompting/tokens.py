"""Count tokens with the model's own tokenizer, or estimate them without one."""

from __future__ import annotations

from collections.abc import Callable

from ragduck.llm.protocol import LanguageModel

CHARACTERS_PER_TOKEN = 3  # of code, an upper estimate: English prose has four
Count = Callable[[str], int]


def counter_of(model: LanguageModel | None) -> Count:
    """Return what counts the tokens of a text."""
    return estimated_tokens if model is None else model.count_tokens


def estimated_tokens(text: str) -> int:
    """Return how many tokens a text may have at most, by its length."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)
