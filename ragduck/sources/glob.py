"""Translate one gitignore pattern into a regular expression that runs in time linear in the path.

Repositories are untrusted, and a plain translation of ``*a*a*a*a*b`` backtracks exponentially. The leftmost
match of what lies between two stars never rules out a match of the rest, so each such piece becomes an atomic
group.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_STAR = "*"
_ANY_FOLDERS = "**/"
_ANYTHING = "**"
_SPECIAL = frozenset("*?[\\")
_NAMED_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \\t",
    "cntrl": "\\x00-\\x1f\\x7f",
    "digit": "0-9",
    "graph": "!-~",
    "lower": "a-z",
    "print": " -~",
    "punct": "!-/:-@\\[-`{-~",
    "space": "\\s",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}


class InvalidGlobError(ValueError):
    """Mark a pattern that git takes to match nothing."""


def glob_regex(pattern: str, *, is_name: bool = False) -> str:
    """Return a regular expression for a whole relative path, as git reads ``pattern``, or for the end of one.

    Raises `InvalidGlobError` for an unclosed bracket and a lone backslash at the end.
    """
    runs: list[list[str]] = [[]]
    for token in _tokens(pattern, is_name=is_name):
        if token == _ANY_FOLDERS:
            runs.append([])
        else:
            runs[-1].append(token)
    first, *others = runs
    if not others:
        return _run_regex(first, is_last=True)
    *inner, last = others
    committed = [f"(?>(?:[^/]*/)*?{_run_regex(run, is_last=False)})" for run in inner]
    opening, ending = _run_regex(first, is_last=False), _run_regex(last, is_last=True)
    return f"{opening}{''.join(committed)}(?:[^/]*/)*?{ending}"


def _run_regex(run: list[str], *, is_last: bool) -> str:
    """Join tokens, committing to the leftmost match of every piece that follows a star but the last."""
    pieces: list[list[str]] = [[]]
    for token in run:
        if token == _STAR:
            pieces.append([])
        else:
            pieces[-1].append(".+" if token == _ANYTHING else token)
    first, *starred = ("".join(piece) for piece in pieces)
    if not starred:
        return first
    *inner, last = starred
    committed = [f"(?>[^/]*?{piece})" for piece in inner if piece]
    return first + "".join(committed) + (f"[^/]*{last}" if is_last else f"(?>[^/]*?{last})")


def _tokens(pattern: str, *, is_name: bool) -> Iterator[str]:
    """Yield a regular expression for each character, and stars under their own names."""
    position = 0
    while position < len(pattern):
        character = pattern[position]
        if character == "*":
            token, position = _star(pattern, position, is_name=is_name)
        elif character == "[":
            token, position = _bracket(pattern, position + 1)
        elif character == "\\":
            if position + 1 == len(pattern):
                raise InvalidGlobError(pattern)
            token, position = re.escape(pattern[position + 1]), position + 2
        else:
            token, position = "[^/]" if character == "?" else re.escape(character), position + 1
        yield token


def _star(pattern: str, start: int, *, is_name: bool) -> tuple[str, int]:
    """Tell ``**/`` and a closing ``/**`` from stars that stay within one name.

    Of the pattern of a path git compares what is plain at its beginning first, and reads the rest as a pattern of
    its own: in ``a**/b`` the stars stand at the beginning.
    """
    end = start
    while end < len(pattern) and pattern[end] == "*":
        end += 1
    opens_segment = start == 0 or pattern[start - 1] == "/"
    follows_plain = not is_name and _SPECIAL.isdisjoint(pattern[:start])
    if end - start < 2 or not (opens_segment or follows_plain):
        return _STAR, end
    if end == len(pattern):
        return ".*" if _may_be_empty(pattern[:start]) else _ANYTHING, end
    if pattern[end] == "/":
        return _ANY_FOLDERS, end + 1
    return _STAR, end


def _may_be_empty(before: str) -> bool:
    """Tell whether nothing but plain letters and whole runs of folders stand before the last stars."""
    plain = before.rstrip("*/")
    return bool(plain) and before[len(plain) :][:1] != "/" and _SPECIAL.isdisjoint(plain)


def _bracket(pattern: str, start: int) -> tuple[str, int]:
    """Read a bracket expression whose opening bracket lies before ``start``."""
    position = start
    negated = pattern[position : position + 1] in ("!", "^")
    position += negated
    items: list[str] = []
    while True:
        if position >= len(pattern):
            raise InvalidGlobError(pattern)
        if pattern[position] == "]" and items:
            break
        item, position = _bracket_item(pattern, position)
        items.append(item)
    members = "".join(items)
    if negated:
        return f"[^/{members}]", position + 1
    return (f"(?!/)[{members}]" if members else "(?!)"), position + 1


def _bracket_item(pattern: str, position: int) -> tuple[str, int]:
    """Read one character, range or named class."""
    if pattern.startswith("[:", position):
        return _named_class(pattern, position)
    low, position = _bracket_character(pattern, position)
    has_range = pattern.startswith("-", position) and pattern[position + 1 : position + 2] not in ("", "]")
    if not has_range:
        return re.escape(low), position
    high, position = _bracket_character(pattern, position + 1)
    return (f"{re.escape(low)}-{re.escape(high)}" if low <= high else re.escape(low)), position


def _bracket_character(pattern: str, position: int) -> tuple[str, int]:
    if pattern[position] != "\\":
        return pattern[position], position + 1
    if position + 1 == len(pattern):
        raise InvalidGlobError(pattern)
    return pattern[position + 1], position + 2


def _named_class(pattern: str, position: int) -> tuple[str, int]:
    end = pattern.find("]", position)
    if end < 0:
        raise InvalidGlobError(pattern)
    if pattern[end - 1] != ":" or end == position + 2:
        return "\\[", position + 1
    name = pattern[position + 2 : end - 1]
    if name not in _NAMED_CLASSES:
        raise InvalidGlobError(pattern)
    return _NAMED_CLASSES[name], end + 1
