"""A column that is asked for by its name is found where its table is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import ragduck

TABLE = """CREATE TABLE [dbo].[LevelOfStock]
(
    [Id] INT NOT NULL IDENTITY PRIMARY KEY,
    [ProductId] INT NOT NULL, [ReorderPoint] INT NOT NULL DEFAULT (0),
    {column} AS ([ReorderPoint] * 2),
    Warehouse INT NOT NULL,
    CONSTRAINT [CK_LevelOfStock] CHECK ([ReorderPoint] >= 0)
)
"""
READING = (
    "CREATE PROCEDURE dbo.{name} AS SELECT {column}, {column} FROM dbo.LevelOfStock WHERE {column} > 0\n"
)
Found = Callable[[str], str]


@pytest.fixture
def found(tmp_path: Path) -> Iterator[Found]:
    """Return what names the file of the first hit of a question to a table and procedures that read it."""
    columns = ("ReorderPoint", "[SafetyStock]", "Warehouse", "Constraint")
    source = tmp_path / "src"
    source.mkdir()
    (source / "table.sql").write_text(TABLE.format(column="[SafetyStock]"))
    (source / "warehouse.sql").write_text("CREATE TABLE dbo.Warehouse (Id INT NOT NULL)\n")
    for number, column in enumerate(columns):
        text = READING.format(name=f"Read{number}", column=column)
        (source / f"read_{column.strip('[]').lower()}.sql").write_text(text)
    ragduck.prepare(source, tmp_path / "s.duckdb", embed_model=None)
    with ragduck.open(tmp_path / "s.duckdb") as store:
        yield lambda question: str(store.search(question, top_k=1).results[0]["source_file"])


@pytest.mark.parametrize(
    "question", ["ReorderPoint", "reorder_point", "SafetyStock", "where is the safety stock"]
)
def test_a_column_is_found_where_its_table_is_made(found: Found, question: str) -> None:
    assert found(question) == "table.sql"


def test_a_column_that_is_called_as_a_table_does_not_come_before_that(found: Found) -> None:
    assert found("Warehouse") == "warehouse.sql"


def test_a_word_of_the_language_is_no_column(found: Found) -> None:
    assert found("constraint") == "read_constraint.sql"
