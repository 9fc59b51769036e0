"""A database that lives on a server only: code names its objects, and no script defines them."""

from __future__ import annotations

from pathlib import Path

import pytest

import ragduck
from ragduck.preparation.prepare import MANY_UNDEFINED
from ragduck.preparation.reports import PrepareReport

NOTE = "defined nowhere in the store"


@pytest.fixture
def code(tmp_path: Path) -> Path:
    """A class that reads many tables."""
    folder = tmp_path / "code"
    folder.mkdir()
    methods = "\n".join(
        f'    public int Read{number}(IDbConnection db) => db.Execute("SELECT Id FROM dbo.Table{number:02}");'
        for number in range(MANY_UNDEFINED)
    )
    (folder / "Reader.cs").write_text(
        f"using System.Data;\nusing Dapper;\npublic class Reader\n{{\n{methods}\n}}\n", encoding="utf-8"
    )
    return folder


def scripts(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        name = f"Table{number:02}"
        (folder / f"{name}.sql").write_text(f"CREATE TABLE dbo.{name} (Id int);\n", encoding="utf-8")
    return folder


def notes_of(report: PrepareReport) -> list[str]:
    return [note for source in report.sources for note in source.notes if NOTE in note]


def test_a_database_without_scripts_is_told(code: Path, tmp_path: Path) -> None:
    report = ragduck.prepare(code, tmp_path / "s.duckdb", embed_model="none")

    (note,) = notes_of(report)
    assert note.startswith(
        f"{MANY_UNDEFINED} tables, procedures and so on that it names, such as dbo.Table00,"
    )
    assert report.to_dict()["sources"][0]["undefined_objects"] == MANY_UNDEFINED


def test_scripts_beside_the_code_are_what_was_missing(code: Path, tmp_path: Path) -> None:
    store = tmp_path / "s.duckdb"

    report = ragduck.prepare([code, scripts(tmp_path / "shop-db", MANY_UNDEFINED)], store, embed_model="none")

    assert notes_of(report) == []
    with ragduck.open(store) as opened:
        (found,) = opened.sql(
            "select count(*) as edges from edges join nodes on node_id = to_id "
            "where relation = 'ReadsFrom' and nodes.source_file is not null and nodes.repo = 'shop-db'"
        )
    assert found == {"edges": MANY_UNDEFINED}


def test_a_few_objects_that_nothing_defines_are_not_told(code: Path, tmp_path: Path) -> None:
    scripts(code / "database", 1)

    report = ragduck.prepare(code, tmp_path / "s.duckdb", embed_model="none")

    assert notes_of(report) == []
    assert report.to_dict()["sources"][0]["undefined_objects"] == MANY_UNDEFINED - 1


def test_where_more_is_defined_than_not_nothing_is_told(code: Path, tmp_path: Path) -> None:
    folder = scripts(code / "database", 2 * MANY_UNDEFINED + 1)
    for number in range(MANY_UNDEFINED):
        (folder / f"Table{number:02}.sql").unlink()

    report = ragduck.prepare(code, tmp_path / "s.duckdb", embed_model="none")

    assert notes_of(report) == []
    assert report.to_dict()["sources"][0]["undefined_objects"] == MANY_UNDEFINED
