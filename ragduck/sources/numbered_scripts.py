"""Find scripts of SQL that are migrations by what stands beside them: `001.sql` to `010.sql`, `Shop.v1.sql` to `v36`.

The names alone would take the parts of one installation for versions of it. What tells is that a later script alters
tables that only an earlier one creates, or drops them and goes on.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ragduck.model import SourceFile
from ragduck.sources.classification import classify
from ragduck.sources.decode import WINDOWS_1252, decode
from ragduck.sources.regular_file import read_regular_file

_FEWEST = 3
_SPARSEST = 2  # numbers that are skipped for each that is there, and a little more
_NUMBERED = re.compile(r"(\D{0,200})(\d{1,9})(\D{0,200})\.sql", re.IGNORECASE)
_QUOTED = r"\[[^\]\n]{1,128}\]|\"[^\"\n]{1,128}\"|`[^`\n]{1,128}`"
_COMMENTS = re.compile(rf"('[^']*+'?+|{_QUOTED})|--[^\n]*+|/\*(?:[^*]++|\*(?!/))*+(?:\*/)?+")
_PART = rf"(?:{_QUOTED}|[^\W\d][\w$]{{0,127}})"
_NAME = rf"{_PART}(?:\s{{0,9}}\.\s{{0,9}}{_PART}){{0,3}}"
_STATEMENT = re.compile(
    rf"\b(create|alter|drop)\s++table\s++(?:if\s++(?:not\s++)?+exists\s++)?+({_NAME})"
    rf"|\bsp_rename\s++(?:@objname\s*+=\s*+)?+N?+'({_NAME})'",
    re.IGNORECASE,
)
_PARTS = re.compile(_PART)
_QUOTES = '[]"`'


def with_numbered_scripts(
    files: Sequence[SourceFile], *, code_page: str = WINDOWS_1252
) -> tuple[SourceFile, ...]:
    """Return the files, with marks on those that are migrations by their numbers; only those that may be are read."""
    marked = {
        file.path
        for series in _series_among(files)
        if _builds_on_itself(_text_of(file, code_page) for file in series)
        for file in series
    }
    return tuple(replace(file, is_in_series=True) if file.path in marked else file for file in files)


def _series_among(files: Iterable[SourceFile]) -> Iterator[list[SourceFile]]:
    """Yield source files of one folder whose names differ in one number only, mostly without gaps, in its order."""
    groups: defaultdict[tuple[str, str, str], dict[int, SourceFile]] = defaultdict(dict)
    for file in files:
        folder, _, name = file.path.rpartition("/")
        numbered = _NUMBERED.fullmatch(name)
        if numbered is not None:
            groups[folder, numbered[1].casefold(), numbered[3].casefold()].setdefault(int(numbered[2]), file)
    for numbers in groups.values():
        span = max(numbers) - min(numbers) + 1
        if len(numbers) >= _FEWEST and span <= _SPARSEST * len(numbers):
            series = [numbers[number] for number in sorted(numbers)]
            if classify(series[0].path, "").file_class == "source":
                yield series


def _text_of(file: SourceFile, code_page: str) -> str:
    """Return the text of a script; nothing of one that cannot be read or that a tool wrote."""
    try:
        content = read_regular_file(file.absolute_path, limit=file.size)
    except OSError:
        return ""
    decoded = decode(content.data, code_page=code_page)
    if decoded is None or classify(file.path, decoded.text).file_class != "source":
        return ""
    return _COMMENTS.sub(lambda found: found[1] or " ", decoded.text)


def _builds_on_itself(texts: Iterable[str]) -> bool:
    """Say whether a text alters a table that one before it creates and it does not: each lesson makes its own.

    To drop tables counts only where something else is made then or later: the last script may just clean up.
    """
    known: set[str] = set()
    gone: set[str] = set()
    for text in texts:
        named = _named_in(text)
        gone |= known & (named["drop"] - named["create"])
        if known & (named["alter"] - named["create"] - named["drop"]) or (gone and named["create"] - known):
            return True
        known |= named["create"]
    return False


def _named_in(text: str) -> Mapping[str, set[str]]:
    """Return the simple names of the tables that a text creates, of those that it alters, and of those it drops."""
    named: dict[str, set[str]] = {"create": set(), "alter": set(), "drop": set()}
    for statement in _STATEMENT.finditer(text):
        verb, table, renamed = statement.groups()
        parts = [part.strip(_QUOTES).casefold() for part in _PARTS.findall(table or renamed)]
        if renamed:
            named["alter"].update(parts)  # which may be a table or its column
        else:
            named[verb.lower()].add(parts[-1])
    return named
