"""Run the queries in `sql/checks`, each of which selects what is wrong with a store."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from ragduck.resources import for_dimension, sql_files
from ragduck.store.connection import Database
from ragduck.store.damage import DamagedStoreError, first_line

MAX_ROWS = 20
ARRAY_TYPE = re.compile(r"FLOAT\[(\d+)\]")


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What one check found: ``count`` wrong rows, the first of them in ``rows``.

    ``unread`` is why it could not read what it looks at, where the file is damaged.
    """

    name: str
    description: str
    rows: tuple[dict[str, Any], ...]
    count: int
    unread: DamagedStoreError | None = None

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return self.count == 0


def run_checks(database: Database, *, folder: str = "checks") -> list[CheckResult]:
    """Run every check of a folder below `sql`, in order of their names.

    A check that cannot run, for want of a table or because the file is damaged, counts as one wrong row whose
    ``error`` says why: the others still tell what they find.
    """
    database.require_open()
    dimension = _dimension(database)
    return [_run_check(database, path, dimension) for path in sql_files(folder)]


def _dimension(database: Database) -> int:
    """Return the length of the vectors by their column, since the metadata may be what is wrong."""
    rows = database.rows(
        "select data_type from duckdb_columns() where table_name = 'documents' and column_name = 'embedding'"
    )
    found = ARRAY_TYPE.fullmatch(rows[0]["data_type"]) if rows else None
    return int(found[1]) if found else 1


def _run_check(database: Database, path: Path, dimension: int) -> CheckResult:
    text = path.read_text(encoding="utf-8")
    description = _description(text)
    try:
        rows, count = _wrong_rows(database, for_dimension(text, dimension))
    except DamagedStoreError as error:
        return CheckResult(path.stem, description, ({"error": error.message},), 1, unread=error)
    except duckdb.Error as error:
        return CheckResult(path.stem, description, ({"error": first_line(error)},), 1)
    return CheckResult(path.stem, description, rows, count)


def _wrong_rows(database: Database, query: str) -> tuple[tuple[dict[str, Any], ...], int]:
    found = database.rows(f"select *, count(*) over () as wrong_rows from (\n{query}\n) limit {MAX_ROWS}")
    count = int(found[0]["wrong_rows"]) if found else 0
    return tuple({name: row[name] for name in row if name != "wrong_rows"} for row in found), count


def _description(text: str) -> str:
    """Return the comment that a check begins with, up to its first full stop."""
    return text.split("\n", 1)[0].removeprefix("--").strip()
