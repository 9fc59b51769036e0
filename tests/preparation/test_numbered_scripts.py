"""Preparing scripts that are migrations by what stands beside them: as from scratch, whichever comes or goes."""

from __future__ import annotations

import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.preparation.reports import PrepareReport

StoredRows = Callable[[Path], dict[str, list[Any]]]

SCRIPTS = {
    "db/1.sql": "create table dbo.Orders (Id int, Total money);\n",
    "db/2.sql": "create table dbo.Customers (Id int);\n",
    "db/3.sql": "drop table dbo.Orders;\ncreate table dbo.Sales (Id int);\n",
    "app/Orders.cs": (
        "class Orders\n{\n    void Read(Db db)\n    {\n"
        '        db.Query("select Id from dbo.Orders");\n    }\n}\n'
    ),
}
ticks = count()


def put(file: Path, text: str) -> None:
    """Write a file with a time of its own, long ago: what changed just now is always read again."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    at = 1_700_000_000 + next(ticks)
    os.utime(file, (at, at))


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RAGDUCK_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr("ragduck.preparation.tying.SHARED_BYTES", 0)  # what statements use is remembered
    for path, text in SCRIPTS.items():
        put(tmp_path / "source" / path, text)
    return tmp_path / "source"


def prepared(source: Path, store: Path, **options: Any) -> PrepareReport:
    return ragduck.prepare(source, store, repo="r", branch="b", embed_model="hashing", processes=1, **options)


def tables(store: Path) -> list[str]:
    with ragduck.open(store) as opened:
        rows = opened.sql("select name from nodes where kind = 'TABLE' and not is_external order by name")
    return [row["name"] for row in rows]


def test_what_a_later_numbered_script_drops_is_not_there(source: Path, tmp_path: Path) -> None:
    report = prepared(source, tmp_path / "s.duckdb")

    assert tables(tmp_path / "s.duckdb") == ["Customers", "Sales"]
    assert "3 files, db/1.sql, db/2.sql and db/3.sql, are read as migrations" in report.sources[0].notes[0]


def test_a_script_more_or_less_changes_what_the_others_are(
    source: Path, tmp_path: Path, stored_rows: StoredRows
) -> None:
    kept = tmp_path / "kept.duckdb"
    for at, change in enumerate(("", "delete", "put", "change")):
        if change == "delete":
            (source / "db/3.sql").unlink()
        elif change:
            put(source / "db/3.sql", SCRIPTS["db/3.sql"] if change == "put" else "select 1;\n")
        prepared(source, kept)
        prepared(source, tmp_path / f"fresh{at}.duckdb", cache=False)

        assert stored_rows(kept) == stored_rows(tmp_path / f"fresh{at}.duckdb"), change
