"""Write counts, sizes and times as people read them."""

from __future__ import annotations


def counted(number: int, noun: str) -> str:
    """Return `1 file`, `1,204 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def amount_of(number: int, plural: str) -> str:
    """Return `2 chunks of scripts`, `1 chunk of scripts` for what is called by its plural."""
    noun, of, rest = plural.partition(" of ")
    return f"{number:,} {noun.removesuffix('s') if number == 1 else noun}{of}{rest}"


def size_text(number: float) -> str:
    """Return bytes in the unit that leaves one to three digits before the point."""
    for unit in ("B", "kB", "MB", "GB"):
        if number < 1000:
            return f"{number:.0f} {unit}" if unit == "B" else f"{number:.1f} {unit}"
        number /= 1000
    return f"{number:.1f} TB"


def age_text(seconds: float) -> str:
    """Return how long ago something was, in its largest unit."""
    for unit, length in (("day", 86_400), ("hour", 3_600), ("minute", 60)):
        if seconds >= length:
            return f"{counted(int(seconds // length), unit)} ago"
    return "just now"
