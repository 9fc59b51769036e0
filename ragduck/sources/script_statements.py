"""Read off scripts of SQL what they create, change and drop, well enough to tell how they build on each other."""

from __future__ import annotations

import re
from typing import NamedTuple

from ragduck.model import SourceFile
from ragduck.sources.classification import classify
from ragduck.sources.decode import decode
from ragduck.sources.regular_file import read_regular_file

_QUOTED = r"\[[^\]\n]{1,128}\]|\"[^\"\n]{1,128}\"|`[^`\n]{1,128}`"
_COMMENTS = re.compile(rf"('[^']*+'?+|{_QUOTED})|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+")
_PART = rf"(?:{_QUOTED}|[^\W\d][\w$]{{0,127}})"
NAME = rf"{_PART}(?:\s{{0,9}}\.\s{{0,9}}{_PART}){{0,3}}"
RENAME = rf"\bsp_rename\s++(?:@objname\s*+=\s*+)?+N?+'({NAME})'"
_STATEMENT = re.compile(
    r"\b(create|alter|drop)\s++(?:or\s++(?:alter|replace)\s++)?+(table|view|proc(?:edure)?+|function|trigger)"
    rf"\s++(?:if\s++(?:not\s++)?+exists\s++)?+({NAME})|{RENAME}",
    re.IGNORECASE,
)
_COLUMN = re.compile(
    r"\s++(?:with\s++(?:no)?check\s++)?+"
    r"(?:add\s++(?!(?:constraint|foreign|primary|unique|check|default|index|period|key)\b)|drop\s++column\b"
    r"|(?:alter|modify|change|rename)\s)",
    re.IGNORECASE,
)
_PARTS = re.compile(_PART)
_QUOTES = '[]"`'
_DEFAULT_SCHEMAS = ("dbo", "public")


class Statements(NamedTuple):
    """The names of what a script makes, changes and drops; those of tables and of modules are different things."""

    made: frozenset[str]
    changed: frozenset[str]  # tables whose columns it changes, or that it renames
    renamed: frozenset[str]
    defined: frozenset[str]  # views, procedures, functions and triggers, also those that it alters
    dropped: frozenset[str]  # of both


def script_text(file: SourceFile, code_page: str) -> str:
    """Return the text of a script without comments; nothing of one that cannot be read or that a tool wrote."""
    text = text_of(file, code_page)
    if classify(file.path, text).file_class != "source":
        return ""
    return _COMMENTS.sub(lambda found: found[1] or " ", text)


def text_of(file: SourceFile, code_page: str) -> str:
    """Return the text of a file, nothing of one that cannot be read."""
    try:
        content = read_regular_file(file.absolute_path, limit=file.size)
    except OSError:
        return ""
    decoded = decode(content.data, code_page=code_page)
    return "" if decoded is None else decoded.text


def parts_of(name: str) -> list[str]:
    """Return the parts of a written name without quotes, case folded."""
    return [part.strip(_QUOTES).casefold() for part in _PARTS.findall(name)]


def statements_in(text: str) -> Statements:
    """Read what a text without comments makes, changes and drops."""
    made: set[str] = set()
    changed: set[str] = set()
    renamed: set[str] = set()
    defined: set[str] = set()
    dropped: set[str] = set()
    for statement in _STATEMENT.finditer(text):
        verb, kind, written, old = statement.groups()
        if old:
            parts = parts_of(old)
            renamed.add(_joined(parts))
            changed.update((_joined(parts), _joined(parts[:-1])))  # a table, or its column
            continue
        name = _joined(parts_of(written))
        is_table, verb = kind.lower() == "table", verb.lower()
        if verb == "drop":
            dropped.add(name)
        elif not is_table:
            defined.add(name)
        elif verb == "create":
            made.add(name)
        elif _COLUMN.match(text, statement.end()):
            changed.add(name)
    return Statements(
        frozenset(made), frozenset(changed), frozenset(renamed), frozenset(defined), frozenset(dropped)
    )


def _joined(parts: list[str]) -> str:
    name = parts[-2:]
    return ".".join(name[1:] if name[0] in _DEFAULT_SCHEMAS and len(name) > 1 else name) if name else ""
