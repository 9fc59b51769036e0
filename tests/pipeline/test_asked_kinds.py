"""A kind that is asked for filters what is told before it is cut and counted: which procedures write a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.asked_relations import asked_relations

SCRIPT = [
    "create table dbo.Parcel (id int not null, weight int);",
    "create table dbo.Stamp (id int not null);",
    "create index IX_Weight on dbo.Parcel (weight);",
    "create trigger dbo.Weighed on dbo.Parcel after update as select 1;",
    *(f"create view dbo.Aa_{number} as select id from dbo.Parcel;" for number in range(9)),
    *(f"create procedure dbo.Zz_{number} as select id from dbo.Parcel;" for number in range(3)),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "post.sql").write_text("\ngo\n".join(SCRIPT))
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def told(asked: Any, store: ragduck.Store, question: str) -> str:
    ran = asked(question, store=store, max_nodes=6)
    text: str = ran.state.answer.partition("## How it hangs together")[2]
    return text.partition("## What else is around it")[0].partition("## Texts")[0]


def names(text: str) -> list[str]:
    return [line[2:].partition(" —")[0] for line in text.split("\n") if line.startswith("- ")]


def test_the_kind_that_is_asked_for_is_not_cut_off_by_others(asked: Any, store: ragduck.Store) -> None:
    text = told(asked, store, "which procedures read dbo.Parcel")

    assert names(text) == ["dbo.Zz_0", "dbo.Zz_1", "dbo.Zz_2"]
    assert "3 readers of `dbo.Parcel` that are procedures:" in text


def test_that_none_is_of_the_kind_is_said_before_the_others(asked: Any, store: ragduck.Store) -> None:
    text = told(asked, store, "which triggers read dbo.Parcel")

    assert "No reader of `dbo.Parcel` that is a trigger is known" in text
    assert "It is used otherwise:" in text


def test_that_nothing_stands_on_a_table_is_said_with_what_is_read(asked: Any, store: ragduck.Store) -> None:
    text = told(asked, store, "which triggers are on dbo.Stamp")

    assert "No trigger on `dbo.Stamp` is known: only what scripts create is read." in text


@pytest.mark.parametrize(
    ("question", "found", "said"),
    [
        ("which triggers are on dbo.Parcel", ["dbo.Weighed"], "1 trigger on `dbo.Parcel`:"),
        ("which indexes does dbo.Parcel have", ["Parcel.IX_Weight"], "1 index on `dbo.Parcel`:"),
    ],
)
def test_what_stands_on_a_table_is_told_by_its_kind(
    asked: Any, store: ragduck.Store, question: str, found: list[str], said: str
) -> None:
    text = told(asked, store, question)

    assert names(text) == found
    assert said in text


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("which stored procedures write dbo.A", {"PROC"}),
        ("list all the views that read dbo.A", {"VIEW"}),
        ("which views and triggers read dbo.A", {"VIEW", "TRIGGER"}),
        ("which code reads the table dbo.A", set()),
        ("who reads the view dbo.A", set()),
    ],
)
def test_a_question_says_which_kind_it_asks_for(question: str, kinds: set[str]) -> None:
    assert asked_relations(question, ["dbo.A"]).kinds == kinds


@pytest.mark.parametrize(
    "question",
    ["what does the trigger dbo.A write", "how does trigger dbo.A work", "where is the index dbo.A"],
)
def test_a_trigger_that_is_named_is_not_asked_for(question: str) -> None:
    assert "On" not in asked_relations(question, ["dbo.A"]).relations
