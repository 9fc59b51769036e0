"""What a plain word of YAML means: the core schema of YAML 1.2, in which `on`, `yes` and `no` are texts."""

from __future__ import annotations

import math
import re

NULL = re.compile(r"(?:~|null|Null|NULL|)")
BOOLEAN = re.compile(r"(?:true|True|TRUE|false|False|FALSE)")
INTEGER = re.compile(r"(?:[-+]?[0-9]{1,30}|0o[0-7]{1,30}|0x[0-9a-fA-F]{1,30})")
NUMBER = re.compile(r"[-+]?(?:\.[0-9]{1,30}|[0-9]{1,30}(?:\.[0-9]{0,30})?)(?:[eE][-+]?[0-9]{1,3})?")

STANDARD = "tag:yaml.org,2002:"
COLLECTIONS = {f"{STANDARD}map", f"{STANDARD}seq"}

Scalar = str | int | float | bool | None


def meaning_of(word: str) -> Scalar:
    """Return what a plain word stands for; a text unless it is null, a boolean or a finite number."""
    if NULL.fullmatch(word):
        return None
    if BOOLEAN.fullmatch(word):
        return word.lower() == "true"
    if INTEGER.fullmatch(word):
        return int(word, 0) if word[:2] in {"0o", "0x"} else int(word)
    if NUMBER.fullmatch(word):
        number = float(word)
        return number if math.isfinite(number) else word
    return word


def tagged(word: str, tag: str) -> Scalar:
    """Return what a word stands for under a tag such as `!!str`; raises ValueError when it cannot be that."""
    kind = tag.removeprefix(STANDARD)
    if kind == "str":
        return word
    meant = meaning_of(word)
    is_number = isinstance(meant, int | float) and not isinstance(meant, bool)
    if kind == "float" and is_number:
        return float(word)
    fits = {
        "null": meant is None,
        "bool": isinstance(meant, bool),
        "int": is_number and isinstance(meant, int),
    }
    if not fits.get(kind, False):
        raise ValueError(tag)
    return meant
