"""Tell which names stand among the words of packed facts, without reading these."""

from __future__ import annotations

from collections.abc import Iterable

SHORT_TEXT = 0x8C  # what stands two bytes before a short text in a pickle: its length is between


def in_bytes(names: Iterable[str]) -> list[bytes]:
    """Return names as `stands_in` looks for them."""
    return sorted(name.encode("utf-8", errors="surrogatepass") for name in names)


def stands_in(name: bytes, words: bytes) -> bool:
    """Say whether a name stands in packed words by itself, not as a part of another."""
    at = words.find(name)
    while at >= 0:
        if not _goes_on_before(words, at) and not _goes_on(words, at + len(name)):
            return True
        at = words.find(name, at + 1)
    return False


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
