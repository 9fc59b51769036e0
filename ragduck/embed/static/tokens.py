"""Cut code and prose into the words of a vocabulary: identifiers fall into their parts, unknown words into pieces.

The same on every platform: only ASCII has upper case here, and other letters count as they are once accents are off.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import chain, pairwise

IDENTIFIER = re.compile(r"[A-Za-z0-9_\u0080-\U0010ffff]+")
PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\x00-\x7f]+")
LONGEST_WORD = 40  # characters; what is longer is encoded data
MOST_PARTS = 12
REMEMBERED = 200_000  # identifiers; a large system has about as many


class Tokenizer:
    """Find the tokens of texts; each identifier is looked at once."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self.vocabulary = vocabulary
        self._longest = max(map(len, vocabulary), default=1)
        self._known = _Remembered(self)

    def distinct_tokens(self, text: str, *, most: int) -> list[int]:
        """Return the tokens of a text in order of first appearance, at most ``most`` of them."""
        if len(self._known) > REMEMBERED:
            self._known.clear()
        tokens = chain.from_iterable(map(self._known.__getitem__, IDENTIFIER.findall(text)))
        return list(dict.fromkeys(tokens))[:most]

    def tokens_of(self, identifier: str) -> tuple[int, ...]:
        """Return the tokens of an identifier: its parts, and what two parts are when written as one word."""
        parts = list(words_in(identifier))
        tokens = [token for part in parts for token in self._tokens_of_word(part)]
        joined = [first + second for first, second in pairwise(parts)]
        if len(parts) > 2:
            joined.append("".join(parts))
        tokens += [self.vocabulary[word] for word in joined if word in self.vocabulary]
        return tuple(tokens)

    def _tokens_of_word(self, word: str) -> Iterator[int]:
        token = self.vocabulary.get(word)
        if token is not None:
            yield token
        elif not word.isdigit():
            yield from self._pieces(word)

    def _pieces(self, word: str) -> Iterator[int]:
        """Yield the longest known beginnings, one after the other; characters without a token are left out."""
        start = 0
        while start < len(word):
            for end in range(min(len(word), start + self._longest), start, -1):
                token = self.vocabulary.get(word[start:end])
                if token is not None:
                    yield token
                    break
            start = end


class _Remembered(dict[str, tuple[int, ...]]):
    """Tokens by identifier, found when first asked for."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        super().__init__()
        self._tokenizer = tokenizer

    def __missing__(self, identifier: str) -> tuple[int, ...]:
        tokens = self._tokenizer.tokens_of(identifier)
        if len(identifier) <= LONGEST_WORD:
            self[identifier] = tokens
        return tokens


def words_in(identifier: str) -> list[str]:
    """Return the camel, snake and digit parts of an identifier in lower case and without accents."""
    plain = identifier if identifier.isascii() else _without_accents(identifier)
    return [part[:LONGEST_WORD].lower() for part in PART.findall(plain)[:MOST_PARTS]]


def _without_accents(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text[: LONGEST_WORD * MOST_PARTS])
    return "".join(
        letter if letter.isalnum() else " " for letter in letters if not unicodedata.combining(letter)
    )
