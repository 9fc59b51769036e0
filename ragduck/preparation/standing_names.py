"""Tell which names stand among the words of packed facts, without reading these."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate

SHORT_TEXT = 0x8C  # what stands two bytes before a short text in a pickle: its length is between
MANY_NAMES = 40  # that are looked for: to find where all words stand takes as long

_BETWEEN = b"\0\0"  # texts: two bytes, as what goes before a name is told by as many
_LENGTH = re.compile(rb"\x8c\w")  # of a text, which looks like a letter of it
_WORD = re.compile(rb"[A-Za-z_]\w\w+")
_AFTER_LENGTH = re.compile(rb"\x8c\x8c([A-Za-z_]\w\w+)")  # of 140: what looks like a length then is a letter


class PackedTexts:
    """Packed words of many files, to look for a name in all of them at once."""

    def __init__(self, texts: Mapping[str, bytes]) -> None:
        self._texts = texts
        self._paths = list(texts)
        self._words = _BETWEEN.join(texts.values())
        ends = accumulate(len(text) + len(_BETWEEN) for text in texts.values())
        self._starts = [0, *ends]  # with where one more would begin
        self._asked = 0

    @property
    def is_indexed(self) -> bool:
        """Whether it is known by now where all words stand."""
        return "_places" in vars(self)

    def holding(self, name: bytes) -> Iterator[str]:
        """Return the paths of the files in which a name stands, in order; it has letters, and none is NUL."""
        self._asked += 1
        if self._asked > MANY_NAMES and _WORD.fullmatch(name):
            return map(self._paths.__getitem__, self._places.get(name, ()))
        return self._found(name)

    @cached_property
    def _places(self) -> Mapping[bytes, Sequence[int]]:
        """Where words stand of three letters or more, none of them beyond ASCII; they may go on with such."""
        places: defaultdict[bytes, list[int]] = defaultdict(list)
        for place, text in enumerate(self._texts.values()):
            words = {*_WORD.findall(_LENGTH.sub(b"\x8c\0", text)), *_AFTER_LENGTH.findall(text)}
            for word in words:
                places[word].append(place)
        return places

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
