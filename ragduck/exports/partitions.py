"""Folders of a hive-partitioned table, such as `repo=shop/branch=feature%2Fx`.

They are safe on every file system, and a reader that unescapes them gets the names back as they were.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import quote

from ragduck.errors import UsageError

LONGEST_NAME = 255  # bytes of a file name on common file systems
NULL_PARTITION = "__HIVE_DEFAULT_PARTITION__"  # what readers take for a missing value, whatever we mean
# Readers that guess types make a number, date or boolean of these.
GUESSED = re.compile(r"[-+.\d][-+.:\da-ftxz _]*|true|false|nan|inf|infinity|epoch", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Partition:
    """A repository and branch with the folder of its rows below that of a table."""

    repo: str
    branch: str
    folder: str


def partitions(pairs: Collection[tuple[str, str]]) -> Mapping[tuple[str, str], Partition]:
    """Return a folder for each repository and branch; UsageError for a name that none can stand for."""
    repos = _folder_values({repo for repo, _ in pairs})
    branches = _folder_values({branch for _, branch in pairs})
    return {
        (repo, branch): Partition(
            repo, branch, f"{_level('repo', repo, repos)}/{_level('branch', branch, branches)}"
        )
        for repo, branch in sorted(pairs)
    }


def guessed_names(found: Collection[Partition]) -> list[str]:
    """Return the names that readers take for numbers, dates or booleans unless they are told not to guess."""
    names = {name for each in found for name in (each.repo, each.branch)}
    return sorted(name for name in names if GUESSED.fullmatch(name))


def _folder_values(values: Collection[str]) -> dict[str, str]:
    """Escape values; where two differ in case only, as some file systems do not tell, capitals are escaped too."""
    folded = Counter(value.lower() for value in values)
    return {value: _escaped(value, with_capitals=folded[value.lower()] > 1) for value in values}


def _escaped(value: str, *, with_capitals: bool) -> str:
    escaped = "".join(map(_escaped_capital, value)) if with_capitals else quote(value, safe="")
    if GUESSED.fullmatch(value) and not escaped.startswith("%"):  # DuckDB guesses before it unescapes
        escaped = f"%{ord(escaped[0]):02X}{escaped[1:]}"
    if escaped.endswith("."):  # Windows drops it
        escaped = f"{escaped[:-1]}%2E"
    return escaped


def _escaped_capital(character: str) -> str:
    return f"%{ord(character):02X}" if "A" <= character <= "Z" else quote(character, safe="")


def _level(name: str, value: str, folder_values: Mapping[str, str]) -> str:
    level = f"{name}={folder_values[value]}"
    if value in ("", NULL_PARTITION):
        raise UsageError(
            f"the {name} {value!r} cannot be the name of a partition", hint="prepare it under another name"
        )
    if len(level) > LONGEST_NAME:
        raise UsageError(
            f"the {name} {value[:40]!r}… has {len(level):,} letters as a folder; {LONGEST_NAME} is the most",
            hint=f"leave it out: name the others with --{name}",
        )
    return level
