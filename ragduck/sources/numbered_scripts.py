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
from ragduck.sources.decode import WINDOWS_1252
from ragduck.sources.described_scripts import described_scripts
from ragduck.sources.script_statements import NAME, RENAME, parts_of, script_text

_FEWEST = 3
_SPARSEST = 2  # numbers that are skipped for each that is there, and a little more
_NUMBERED = re.compile(r"(\D{0,200})(\d{1,9})(\D{0,200})\.sql", re.IGNORECASE)
_STATEMENT = re.compile(
    rf"\b(create|alter|drop)\s++table\s++(?:if\s++(?:not\s++)?+exists\s++)?+({NAME})|{RENAME}", re.IGNORECASE
)


def with_numbered_scripts(
    files: Sequence[SourceFile], *, code_page: str = WINDOWS_1252
) -> tuple[SourceFile, ...]:
    """Return the files, with marks on those that are migrations by their numbers; only those that may be are read."""
    marked = {
        file.path
        for series in _series_among(files)
        if _builds_on_itself(script_text(file, code_page) for file in series)
        for file in series
    }
    marked.update(file.path for file in described_scripts(files, code_page=code_page))
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
        parts = parts_of(table or renamed)
        if renamed:
            named["alter"].update(parts)  # which may be a table or its column
        else:
            named[verb.lower()].add(parts[-1])
    return named
