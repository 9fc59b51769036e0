"""The methods that return a text as it is, or in other letters."""

from __future__ import annotations

SAME_TEXT = frozenset(
    {"ToString", "AsString", "ToStringFast", "Trim", "TrimEnd", "TrimStart", "AsSpan", "Normalize"}
)
UPPER = frozenset({"ToUpper", "ToUpperInvariant", "toUpperCase", "upper"})
LOWER = frozenset({"ToLower", "ToLowerInvariant", "toLowerCase", "lower"})
SPELLING = SAME_TEXT | UPPER | LOWER


def spelled_by(method: str, value: str | None) -> str | None:
    """Return what one of these methods makes of a text."""
    if value is None or method in SAME_TEXT:
        return value.strip() if value is not None and method == "Trim" else value
    return value.upper() if method in UPPER else value.lower()
