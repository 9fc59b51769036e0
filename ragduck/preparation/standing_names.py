"""Tell which names stand among the words of packed facts, without reading these."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple, Protocol

SHORT_TEXT = 0x8C  # what stands two bytes before a short text in a pickle: its length is between
MANY_NAMES = 40  # that are looked for: to find where all words stand takes as long

_BETWEEN = b"\0\0"  # texts: two bytes, as what goes before a name is told by as many
_LENGTH = re.compile(rb"\x8c\w")  # of a text, which looks like a letter of it
_WORD = re.compile(rb"[A-Za-z_]\w\w+")
_AFTER_LENGTH = re.compile(rb"\x8c\x8c([A-Za-z_]\w\w+)")  # of 140: what looks like a length then is a letter


class Index(Protocol):
    """In which of many files words stand, those of three letters or more."""

    def holding(self, word: bytes, /) -> Iterable[str]:
        """Return the paths of the files in which a word stands, others, where it goes on beyond ASCII, among them."""


class Known(NamedTuple):
    """In which files words stood earlier, and the paths of those that are not as they were."""

    words: Index
    otherwise: AbstractSet[str]


class PackedTexts:
    """Packed words of many files, to look for a name in all of them at once.

    ``text_of`` gives those of a file by its path, if it has to be looked through; ``known`` is what is known of them.
    """

    def __init__(
        self, paths: Iterable[str], text_of: Callable[[str], bytes], known: Known | None = None
    ) -> None:
        self._paths = list(dict.fromkeys(paths))
        self._text_of = text_of
        self._known = known
        self._asked = 0

    @property
    def is_indexed(self) -> bool:
        """Whether it is known by now where all words stand."""
        return self._known is not None or "_places" in vars(self)

    def holding(self, name: bytes) -> Iterable[str]:
        """Return the paths of the files in which a name stands; it has letters, and none is NUL."""
        self._asked += 1
        if _WORD.fullmatch(name):
            if self._known is not None:
                return self._found_before(name, self._known)
            if self._asked > MANY_NAMES:
                return map(self._paths.__getitem__, self._places.get(name, ()))
        return self._found(name)

    def _found_before(self, name: bytes, known: Known) -> Iterator[str]:
        for path in known.words.holding(name):
            if path in self._among and path not in known.otherwise:
                yield path
        for path in known.otherwise:
            if path in self._among and stands_in(name, self._text_of(path)):
                yield path

    @cached_property
    def _among(self) -> AbstractSet[str]:
        return frozenset(self._paths)

    @cached_property
    def _places(self) -> Mapping[bytes, Sequence[int]]:
        return places_of_words(map(self._text_of, self._paths))

    @cached_property
    def _words(self) -> bytes:
        return _BETWEEN.join(map(self._text_of, self._paths))

    @cached_property
    def _starts(self) -> Sequence[int]:
        """Where each text begins, and where one more would."""
        ends = accumulate(len(self._text_of(path)) + len(_BETWEEN) for path in self._paths)
        return [0, *ends]

    def _found(self, name: bytes) -> Iterator[str]:
        words = self._words
        if not name:
            return
        at = words.find(name)
        while at >= 0:
            if _stands_at(name, words, at):
                place = bisect_right(self._starts, at)
                yield self._paths[place - 1]
                at = words.find(name, self._starts[place])
            else:
                at = words.find(name, at + 1)


def places_of_words(texts: Iterable[bytes]) -> Mapping[bytes, Sequence[int]]:
    """Return in which texts words of three letters of ASCII or more stand; they may go on with others."""
    places: defaultdict[bytes, list[int]] = defaultdict(list)
    for place, text in enumerate(texts):
        words = {*_WORD.findall(_LENGTH.sub(b"\x8c\0", text)), *_AFTER_LENGTH.findall(text)}
        for word in words:
            places[word].append(place)
    return places


def in_bytes(names: Iterable[str]) -> list[bytes]:
    """Return names as `stands_in` looks for them."""
    return sorted(name.encode("utf-8", errors="surrogatepass") for name in names)


def stands_in(name: bytes, words: bytes) -> bool:
    """Say whether a name stands in packed words by itself, not as a part of another."""
    at = words.find(name)
    while at >= 0:
        if _stands_at(name, words, at):
            return True
        at = words.find(name, at + 1)
    return False


def _stands_at(name: bytes, words: bytes, at: int) -> bool:
    return not _goes_on_before(words, at) and not _goes_on(words, at + len(name))


def _goes_on_before(words: bytes, at: int) -> bool:
    """Say whether a name begins further left; the length of a text is no letter, whatever it looks like."""
    if at == 0 or (at > 1 and words[at - 2] == SHORT_TEXT):
        return False
    return _is_letter(words[at - 1]) or words[at - 1] >= 0x80


def _goes_on(words: bytes, end: int) -> bool:
    """Say whether a name goes on: with a letter, or the first byte of one beyond ASCII."""
    return end < len(words) and (_is_letter(words[end]) or 0xC2 <= words[end] <= 0xF4)


def _is_letter(byte: int) -> bool:
    return byte == ord("_") or bytes((byte,)).isalnum()
