"""What names a column: statements of what touches the table, its entity's property, members that are called so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck import UsageError, cookbook

SCRIPT = """create table dbo.Parcel (Id int, Sender nvarchar(80));
GO
create view dbo.Heavy as select Id, Sender from dbo.Parcel;
GO
create procedure dbo.Tell as select [sender] from dbo.Heavy;
GO
create procedure dbo.Count_All as
-- the Sender does not count
select count(*) from dbo.Parcel;
GO
create procedure dbo.Other as select Sender from dbo.Letter;
"""
CODE = """using System.ComponentModel.DataAnnotations.Schema;
namespace Post
{
    public class Item
    {
        public string Sender { get; set; }
    }
    [Table("Parcel")]
    public class Parcel : Item
    {
        public int Id { get; set; }
    }
    public class ParcelModel
    {
        public string Sender { get; set; }
    }
    public class Desk
    {
        public string Tell(Parcel parcel) { return parcel.Sender; }
        public string Show(ParcelModel model) { return model.Sender; }
        public string Stay(Parcel parcel) { return ""; }
    }
}
"""


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., list[dict[str, Any]]]]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "post.sql").write_text(SCRIPT)
    (folder / "source" / "Post.cs").write_text(CODE)
    store = folder / "post.duckdb"
    ragduck.prepare(folder / "source", store, repo="post", embed_model="none")
    with ragduck.open(store) as opened:
        yield lambda **variables: opened.table(
            cookbook.query("what_names_a_column"), variables=variables
        ).to_dicts()


def test_statements_properties_and_members_of_its_name_are_told(
    ask: Callable[..., list[dict[str, Any]]],
) -> None:
    rows = ask(object="dbo.Parcel", column="sender")

    assert [(row["by"], row["node_key"], row["line"]) for row in rows] == [
        ("statement", "dbo.Heavy|VIEW", 3),
        ("statement", "dbo.Parcel|TABLE", 1),
        ("statement", "dbo.Tell|PROC", 5),
        ("property", "csharp:Post.Desk.Tell|METHOD", 19),
        ("property", "csharp:Post.Item.Sender|PROPERTY", 6),
        ("same name", "csharp:Post.Desk.Show|METHOD", 20),
        ("same name", "csharp:Post.ParcelModel.Sender|PROPERTY", 15),
    ]


def test_a_column_that_is_not_in_the_definition_is_an_error(ask: Callable[..., list[dict[str, Any]]]) -> None:
    with pytest.raises(UsageError) as error:
        ask(object="dbo.Parcel", column="Sendr")

    assert (
        "dbo.Parcel has no column Sendr: its definition in post.sql does not name it" in error.value.message
    )
    assert error.value.message.endswith("did you mean Sender?")


def test_a_column_like_no_other_is_an_error_without_a_guess(
    ask: Callable[..., list[dict[str, Any]]],
) -> None:
    with pytest.raises(UsageError, match=r"has no column Weight: .* does not name it$"):
        ask(object="dbo.Parcel", column="Weight")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("undefined.sql", "create procedure dbo.Tell as select Id from dbo.Parcel;\n"),
        ("star.sql", "create view dbo.Parcel as select p.* from dbo.Old p;\n"),
        ("altered.sql", "create table dbo.Parcel (Id int);\nGO\nalter table dbo.Parcel add\n  Sender int;\n"),
        (
            "Migrations/1.sql",
            "create table dbo.Parcel (Id int);\nGO\nexec sp_rename 'dbo.Parcel.Id', 'Sender';\n",
        ),
    ],
)
def test_a_column_that_the_object_may_have_is_no_error(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / "src" / name).parent.mkdir(parents=True)
    (tmp_path / "src" / name).write_text(text)
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(
            cookbook.query("what_names_a_column"), variables={"object": "dbo.Parcel", "column": "Sender"}
        ).to_dicts()

    assert all(row["by"] == "statement" for row in rows)


def test_the_command_refuses_a_column_that_a_table_does_not_have(invoke: Any, shop_store: Path) -> None:
    result = invoke(
        "sql", shop_store, "@what_names_a_column", "--set", "object=dbo.Invoice", "--set", "column=DueDat"
    )

    assert (result.exit_code, result.stdout) == (2, "")
    assert "dbo.Invoice has no column DueDat" in result.stderr
    assert "did you mean DueDate?" in result.stderr


def test_a_column_has_to_be_told() -> None:
    with pytest.raises(UsageError, match="@what_names_a_column has to be told column") as error:
        cookbook.require_variables("what_names_a_column", {"object": "dbo.Parcel"})

    assert "--set object=dbo.Invoice --set column=DueDate" in str(error.value.hint)


def test_lines_of_old_versions_are_not_told(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tables.sql").write_text("create table dbo.Parcel (Id int, Sender int);\n")
    (tmp_path / "src" / "tell.sql").write_text("create procedure dbo.Tell as select Id from dbo.Parcel;\n")
    (tmp_path / "src" / "Migrations").mkdir()
    (tmp_path / "src" / "Migrations" / "2020-01-01_Tell.sql").write_text(
        "create procedure dbo.Tell as select Sender from dbo.Parcel;\n"
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(
            cookbook.query("what_names_a_column"), variables={"object": "dbo.Parcel", "column": "Sender"}
        ).to_dicts()

    assert [row["node_key"] for row in rows] == ["dbo.Parcel|TABLE"]


def test_comments_name_nothing_and_texts_hold_no_comments(tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "tables.sql").write_text("create table dbo.Parcel (Id int, Sender int);\n")
    (tmp_path / "src" / "old.sql").write_text(
        "create procedure dbo.Old as\n/* select Sender\n from dbo.Parcel */\nselect Id from dbo.Parcel;\n"
    )
    (tmp_path / "src" / "new.sql").write_text(
        "create procedure dbo.New as\nselect '--' as [it's], '/*' as b, Sender from dbo.Parcel; -- Sender\n"
    )
    (tmp_path / "src" / "Desk.cs").write_text(
        "namespace Post { public class Desk { /* the\nSender */ public string Tell(dynamic db)\n{\n"
        'var address = "http://post/*"; var quote = \'"\'; // Sender\n'
        "return db.Query(@\"select 'http://x' as Url,\n Sender from dbo.Parcel\");\n} } }\n"
    )
    (tmp_path / "src" / "Shelf.vb").write_text(
        "Namespace Post\nPublic Class Shelf\nPublic Function Tell(db As Object) As String\n' Sender\n"
        'Return db.Query("select Sender from dbo.Parcel")\nEnd Function\nEnd Class\nEnd Namespace\n'
    )
    (tmp_path / "src" / "wide.sql").write_text(
        "create procedure dbo.Wide as select Id, N'x' as SenderÄ from dbo.Parcel;\n", encoding="utf-8"
    )
    ragduck.prepare(tmp_path / "src", tmp_path / "s.duckdb", embed_model=None)

    with ragduck.open(tmp_path / "s.duckdb") as opened:
        rows = opened.table(
            cookbook.query("what_names_a_column"), variables={"object": "dbo.Parcel", "column": "Sender"}
        ).to_dicts()

    assert [(row["node_key"], row["line"]) for row in rows] == [
        ("csharp:Post.Desk.Tell|METHOD", 6), ("csharp:Post.Shelf.Tell|METHOD", 5), ("dbo.New|PROC", 2),
        ("dbo.Parcel|TABLE", 1),
    ]  # fmt: skip
