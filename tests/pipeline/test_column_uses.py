"""Columns are no nodes: what names one is told by the texts of what touches its table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.understanding import understood_by_rules
from ragduck.pipeline.retrieval.column_uses import named_column
from ragduck.pipeline.state import State

OTHERS = 12  # that touch the table without the column, more than the walk may have nodes
SCRIPT = [
    "create table dbo.Parcel (id int not null, us_email nvarchar(80), bus_email nvarchar(80));",
    *(
        f"create procedure dbo.Count_{number:02} as select id, bus_email from dbo.Parcel;"
        for number in range(OTHERS)
    ),
    "create procedure dbo.Zz_Tell as select us_email from dbo.Parcel;",
    "create trigger dbo.Zz_Watch on dbo.Parcel after insert as select us_email from inserted;",
    "create procedure dbo.Zz_Warn as update dbo.Parcel set US_Email = null;",
]
COUNTED = (
    "3 of 15 that touch `dbo.Parcel` name `us_email`; "
    "all: `ragduck graph STORE 'dbo.Parcel|TABLE' -r ReadsFrom -r WritesTo -r On --direction in --depth 1`"
)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "post.sql").write_text("\ngo\n".join(SCRIPT))
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


@pytest.mark.parametrize(
    "question",
    [
        "what breaks if I rename dbo.Parcel.us_email",
        "what breaks if I rename column us_email of dbo.Parcel?",
        "what breaks if I drop the column us_email of the table parcel",
        "what is affected when the us_email column of the table Parcel is dropped",
    ],
)
def test_what_names_a_column_comes_first_and_is_counted(
    asked: Any, store: ragduck.Store, question: str
) -> None:
    ran = asked(question, store=store, max_nodes=8)

    named, _, rest = ran.state.answer.partition("## What names `us_email`")[2].partition("\n## ")
    assert COUNTED in named
    assert "@what_names_a_column --set object=dbo.Parcel --set column=us_email`" in named
    assert [line.split(" —")[0] for line in named.split("\n") if line.startswith("- ")] == [
        "- dbo.Zz_Tell",
        "- dbo.Zz_Warn",
        "- dbo.Zz_Watch",
    ]
    assert "Zz_" not in rest.partition("## Texts")[0]


def test_that_nothing_names_a_column_is_said(asked: Any, store: ragduck.Store) -> None:
    question = "what breaks if I rename dbo.Parcel.us_mail"

    ran = asked(question, store=store, max_nodes=8)

    assert "None of 15 that touch `dbo.Parcel` names `us_mail`; all: `ragduck graph" in ran.state.answer


def test_what_uses_the_property_of_an_entity_is_told(asked: Any, tmp_path: Any) -> None:
    (tmp_path / "Parcel.cs").write_text(
        "using System.ComponentModel.DataAnnotations.Schema;\nnamespace Post\n{\n"
        '[Table("Parcel")]\npublic class Parcel\n{\npublic string Sender { get; set; }\n}\n'
        "public class Desk\n{\npublic string Tell(Parcel parcel)\n{\nreturn parcel.Sender;\n}\n}\n}\n"
    )
    (tmp_path / "post.sql").write_text(
        "create table dbo.Parcel (Sender int);\ngo\n"
        "create procedure dbo.Tell as select Sender from dbo.Parcel;\n"
    )
    ragduck.prepare(tmp_path, tmp_path / "post.duckdb", repo="post", embed_model="none")
    question = "what breaks if I rename the column Sender of dbo.Parcel"

    with ragduck.open(tmp_path / "post.duckdb") as opened:
        ran = asked(question, store=opened, max_nodes=8)

    assert "1 of 1 that touch `dbo.Parcel` names `Sender`" in ran.state.answer
    assert "1 uses `Parcel.Sender`." in ran.state.answer
    assert "- Desk.Tell —Uses→ Parcel.Sender" in ran.state.answer


def test_what_uses_a_property_that_the_entity_inherits_is_told(asked: Any, tmp_path: Any) -> None:
    (tmp_path / "Parcel.cs").write_text(
        "using System.ComponentModel.DataAnnotations.Schema;\nnamespace Post\n{\n"
        "public class Item\n{\npublic string Sender { get; set; }\n}\n"
        '[Table("Parcel")]\npublic class Parcel : Item\n{\n}\n'
        "public class Desk\n{\npublic string Tell(Item item)\n{\nreturn item.Sender;\n}\n}\n}\n"
    )
    (tmp_path / "post.sql").write_text("create table dbo.Parcel (Sender int);\n")
    ragduck.prepare(tmp_path, tmp_path / "post.duckdb", repo="post", embed_model="none")
    question = "what breaks if I rename the column Sender of dbo.Parcel"

    with ragduck.open(tmp_path / "post.duckdb") as opened:
        ran = asked(question, store=opened, max_nodes=8)

    assert "1 uses `Item.Sender`." in ran.state.answer
    assert "- Desk.Tell —Uses→ Item.Sender" in ran.state.answer


def test_members_of_the_same_name_are_not_meant(asked: Any, tmp_path: Any) -> None:
    (tmp_path / "Marks.cs").write_text("namespace Post\n{\npublic enum Marks\n{\nSender,\n}\n}\n")
    (tmp_path / "post.sql").write_text("create table dbo.Parcel (Sender int);\n")
    ragduck.prepare(tmp_path, tmp_path / "post.duckdb", repo="post", embed_model="none")
    question = "what breaks if I drop the column Sender of Parcel"

    with ragduck.open(tmp_path / "post.duckdb") as opened:
        ran = asked(question, store=opened, max_nodes=8)

    assert ran.state.entry_nodes == ("dbo.Parcel|TABLE",)


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("who reads dbo.Parcel.Status", "Status"),
        ("what breaks if I rename column Status of dbo.Parcel", "Status"),
        ("what breaks if I rename the Status column of dbo.Parcel", "Status"),
        ("what breaks if I rename parcel_status of dbo.Parcel", "parcel_status"),
        ("what breaks if I add a new column to dbo.Parcel", None),
        ("who calls dbo.Parcel_Read for dbo.Parcel", None),
        ("who writes dbo.Parcel", None),
        ("How is dbo.Parcel.Status defined?", None),
    ],
)
def test_a_question_about_uses_may_name_a_column(question: str, column: str | None) -> None:
    state = State(
        question,
        understanding=understood_by_rules(question),
        entry_nodes=("dbo.Parcel|TABLE", "dbo.Parcel_Read|PROC"),
    )

    assert named_column(state) == (column and ("dbo.Parcel|TABLE", column))
