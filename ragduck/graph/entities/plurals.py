"""Guess the singular and plural of English names, as people and frameworks name tables."""

from __future__ import annotations

import re

_IRREGULAR = {
    "person": "people",
    "child": "children",
    "man": "men",
    "woman": "women",
    "datum": "data",
    "medium": "media",
    "criterion": "criteria",
    "analysis": "analyses",
    "basis": "bases",
    "index": "indices",
    "matrix": "matrices",
    "vertex": "vertices",
    "foot": "feet",
    "mouse": "mice",
    "leaf": "leaves",
    "shelf": "shelves",
    "life": "lives",
}
_SINGULARS = {plural: singular for singular, plural in _IRREGULAR.items()}
_LAST_WORD = re.compile(r"(?:[A-Z]?[a-z]+|[A-Z]+)\d{0,9}$")


def variants(name: str) -> tuple[str, ...]:
    """Return the other numbers of a name: `OrderLine` has `OrderLines`, `Categories` has `Category`."""
    found = _LAST_WORD.search(name[-60:])
    if found is None:
        return ()
    start = len(name) - len(found[0])
    head, word = name[:start], name[start:]
    guesses = (*_irregular(word), *_singulars(word), *_plurals(word))
    return tuple(dict.fromkeys(head + guess for guess in guesses if guess != word))


def _irregular(word: str) -> tuple[str, ...]:
    other = _IRREGULAR.get(word.lower()) or _SINGULARS.get(word.lower())
    return (other.capitalize() if word[0].isupper() else other,) if other else ()


def _singulars(word: str) -> tuple[str, ...]:
    if word.endswith("ies") and len(word) > 4:
        return (word[:-3] + "y", word[:-1])
    if word.endswith(("sses", "xes", "ches", "shes", "zes", "uses")):
        return (word[:-2], word[:-1])
    if word.endswith("ves") and len(word) > 4:
        return (word[:-1], word[:-3] + "f")
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return (word[:-1],)
    return ()


def _plurals(word: str) -> tuple[str, ...]:
    if word.endswith("y") and word[-2:-1].lower() not in "aeiou":
        return (word[:-1] + "ies",)
    if word.endswith(("s", "x", "ch", "sh", "z")):
        return (word + "es",)
    return (word + "s",)
