"""Types and objects of databases come, go and change: rows of files that cannot lean on them are taken over."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.preparation.test_remembered_rows import (
    CONTEXT,
    LINE,
    NAMES,
    NOTE,
    PASSING,
    SERVICE,
    TABLES,
    TEXTS,
    cache,
    contents,
    read,
    shown_by,
    tied,
)

__all__ = ["cache", "read"]  # fixtures

Texts = Mapping[str, str | None]

ALL: Texts = {
    **TEXTS,
    "Shop/Purge.cs": """namespace Shop;
public class Purge {
    public void Run(SqlConnection connection) { connection.Execute($"delete from {Full.Bills} where Id = 9"); }
}
""",
    "Shop/Plain.cs": """namespace Shop;
public class Plain {
    public void Run(SqlConnection connection) { connection.Execute("delete from Bills where Id = 8"); }
}
""",
    "Shop/Odd.cs": """namespace Shop;
public class Odd { public string Say() { return "nothing of interest"; } }
""",
    "Shop/Models.cs": "namespace Shop.Models;\npublic class Note { public int Id { get; set; } }\n",
    "Shop/Note.cs": NOTE.replace("class Note", "class Note : Shop.Models.Note"),
    "Shop/Notes.cs": """namespace Shop;
public class Notes {
    ShopContext db;
    public void Keep(Shop.Models.Note note) { db.Add(note); db.SaveChanges(); }
}
""",
    "Shop/Stores.cs": """namespace Shop;
public interface IStore<T> { IQueryable<T> Table { get; } }
public class Store<T> : IStore<T> {
    DbSet<T> rows;
    public IQueryable<T> Table { get { return rows; } }
}
""",
    "Shop/Shelf.cs": """namespace Shop;
public class Shelf {
    IStore<Order> store;
    public int Size() { return store.Table.Count(); }
}
""",
    "Shop/Rows.cs": """namespace Shop;
public abstract class Rows {
    protected virtual string Name => "Bills";
    public void Drop(SqlConnection connection) { connection.Execute($"delete from dbo.{Name} where Id = 7"); }
}
public class BillRows : Rows { }
""",
}  # fmt: skip
LEANING = {"Shop/Purge.cs", "Shop/Rows.cs", "Shop/Migrations/001_First.cs", "Shop/Report.cs"}
EDITS: Mapping[str, Texts] = {
    "the type of a constant that a constant is made of has another name": {
        "Shop/Names.cs": NAMES.replace("class Names", "class Words")
    },
    "a nearer type takes the name of one that a constant is made of": {
        "Shop/Names.cs": NAMES.replace(
            "public static class Full {",
            'public static class Full {\n    static class Names { public const string Short = "Orders"; }\n',
        )
    },
    "another class is derived from what an entity is derived from": {
        "Shop/Line.cs": LINE.replace("class Line", "class Line : Shop.Models.Note")
    },
    "a second class stands behind an interface with a property": {
        "Shop/Second.cs": """namespace Shop;
public class Second<T> : IStore<T> { public IQueryable<T> Table { get { return null; } } }
"""
    },
    "a class inherits a string that it makes another": {
        "Shop/Heir.cs": 'namespace Shop;\npublic class Heir : Rows { protected override string Name => "Papers"; }\n'
    },
    "a set of a context is of another type": {"Shop/ShopContext.cs": CONTEXT.replace(": DbContext", "")},
    "a procedure has another name": {"Db/Tables.sql": TABLES.replace("Bills_Fill", "Bills_Full")},
    "a procedure is new": {"Db/More.sql": "create procedure dbo.Bills_More as select Id from dbo.Bills;\n"},
    "a table is in another schema": {"Db/Tables.sql": TABLES.replace("table dbo.Bills", "table Ops.Bills")},
    "a table is gone": {"Db/Tables.sql": None},
}  # fmt: skip
SHOWN_ELSEWHERE = {
    "the type of a constant that a constant is made of has another name": "Shop/Purge.cs",
    "another class is derived from what an entity is derived from": "Shop/Notes.cs",
    "a class inherits a string that it makes another": "Shop/Rows.cs",
    "a table is in another schema": "Shop/Plain.cs",
}


@pytest.mark.parametrize("edit", EDITS)
@pytest.mark.parametrize("is_back", [False, True])
def test_an_edit_gives_the_graph_that_is_made_anew(cache: Path, edit: str, *, is_back: bool) -> None:
    versions: list[Texts] = [ALL, {**ALL, **EDITS[edit]}]
    before, after = versions[::-1] if is_back else versions
    tied(before, cache)

    again = tied(after, cache)

    assert contents(again) == contents(tied(after, None))


@pytest.mark.parametrize(("edit", "path"), SHOWN_ELSEWHERE.items())
def test_an_edit_changes_what_a_file_shows_that_did_not_change(cache: Path, edit: str, path: str) -> None:
    before = tied(ALL, cache)

    after = tied({**ALL, **EDITS[edit]}, cache)

    assert path not in EDITS[edit]
    assert shown_by(before, path) != shown_by(after, path)


def test_an_import_that_comes_lets_only_its_file_be_read_and_what_leans_on_values(
    cache: Path, read: set[str]
) -> None:
    tied(ALL, cache)
    read.clear()

    tied({**ALL, "Shop/Service.cs": f"using System.Linq;\n{SERVICE}"}, cache)

    assert read - PASSING - LEANING == {"Shop/Service.cs"}


def test_a_procedure_lets_only_files_be_read_that_name_objects(cache: Path, read: set[str]) -> None:
    tied(ALL, cache)
    read.clear()

    tied({**ALL, **EDITS["a procedure is new"]}, cache)

    assert {"Shop/Plain.cs", "Shop/Purge.cs"} <= read
    assert read.isdisjoint({"Shop/Odd.cs", "Shop/Service.cs", "Shop/Notes.cs"})


def test_what_rows_lean_on_is_known_of_rows_that_were_taken_over(cache: Path) -> None:
    tied(ALL, cache)
    between = {**ALL, "Shop/Odd.cs": "namespace Shop;\npublic class Odd { }\n"}
    tied(between, cache)
    for edit in ("the type of a constant that a constant is made of has another name", "a procedure is new"):
        after = {**between, **EDITS[edit]}

        again = tied(after, cache)

        assert contents(again) == contents(tied(after, None))
        tied(between, cache)
