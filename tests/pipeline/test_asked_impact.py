"""What breaks when a thing changes is what depends on it, never what it uses itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.asked_relations import asked_relations
from ragduck.pipeline.question.understanding import type_of

SCRIPT = [
    "create table dbo.Base (id int not null primary key);",
    "create table dbo.Parcel (id int not null, base int references dbo.Base (id));",
    "create view dbo.Heavy as select id from dbo.Parcel;",
    "create procedure dbo.Tell as select id from dbo.Heavy;",
    "create procedure dbo.Fill as begin select id from dbo.Parcel; update dbo.Parcel set id = 1; end;",
    "create procedure dbo.Other as select id from dbo.Base;",
]
CODE = """\
namespace Post
{
    public class Scale
    {
        public int Weigh(int parcel) { return parcel; }
    }
    public class Desk
    {
        public int Take(Scale scale) { return scale.Weigh(1); }
    }
}
"""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("post")
    (folder / "source").mkdir()
    (folder / "source" / "post.sql").write_text("\ngo\n".join(SCRIPT))
    (folder / "source" / "Desk.cs").write_text(CODE)
    ragduck.prepare(folder / "source", folder / "post.duckdb", repo="post", embed_model="none")
    with ragduck.open(folder / "post.duckdb") as opened:
        yield opened


def answer(asked: Any, store: ragduck.Store, question: str) -> tuple[str, str, str]:
    """Return what is told of direct dependents, of their dependents, and of what else is around."""
    ran = asked(question, store=store)
    told, _, around = ran.state.answer.partition("## Texts")[0].partition("## What else is around it")
    direct, _, further = told.partition("## What depends on those in turn")
    return direct.partition("## How it hangs together")[2], further, around


@pytest.mark.parametrize(
    "question",
    [
        "what breaks if I change dbo.Parcel",
        "what depends on dbo.Parcel",
        "what is affected if I delete dbo.Parcel",
    ],
)
def test_direct_dependents_come_first_and_are_counted_each_once(
    asked: Any, store: ragduck.Store, question: str
) -> None:
    direct, further, around = answer(asked, store, question)

    assert "2 direct dependents of `dbo.Parcel`:" in direct
    assert direct.count("→ dbo.Parcel") == 2
    assert "- dbo.Tell —ReadsFrom→ dbo.Heavy" in further
    assert "dbo.Base ←ForeignKey— dbo.Parcel" in around
    assert "dbo.Other" not in direct + further + around


def test_that_nothing_depends_on_it_is_said(asked: Any, store: ragduck.Store) -> None:
    direct, further, around = answer(asked, store, "what breaks if I change dbo.Tell")

    assert "No direct dependent of `dbo.Tell` is known" in direct
    assert "→" not in direct + further
    assert "dbo.Heavy ←ReadsFrom— dbo.Tell" in around


def test_who_calls_members_depends_on_their_type(asked: Any, store: ragduck.Store) -> None:
    direct, _, _ = answer(asked, store, "what breaks if I change Post.Scale")

    assert "1 direct dependent of `Post.Scale`:" in direct
    assert "- Desk.Take —" in direct


def test_a_kind_that_is_asked_for_counts_alone(asked: Any, store: ragduck.Store) -> None:
    direct, _, _ = answer(asked, store, "which views depend on dbo.Parcel")

    assert "1 direct dependent of `dbo.Parcel` that is a view:" in direct
    assert "dbo.Fill" not in direct


def test_what_a_thing_depends_on_is_asked_along_the_edges(asked: Any, store: ragduck.Store) -> None:
    direct, _, _ = answer(asked, store, "what does dbo.Heavy depend on")

    assert "1 thing needed by `dbo.Heavy`:" in direct
    assert "- dbo.Heavy —ReadsFrom→ dbo.Parcel" in direct


@pytest.mark.parametrize(
    "question", ["which views depend on dbo.A", "who depends on dbo.A", "what depends on dbo.A"]
)
def test_who_depends_on_a_thing_asks_for_its_impact(question: str) -> None:
    assert type_of(question) == "impact"


@pytest.mark.parametrize(
    ("question", "relation"),
    [
        ("who publishes OrderPlaced", "Uses"),
        ("which handler handles OrderPlaced", "Handles"),
    ],
)
def test_who_publishes_and_handles_is_asked_for(question: str, relation: str) -> None:
    asked = asked_relations(question, ["OrderPlaced"])

    assert (asked.relations, asked.direction) == ({relation}, "in")


def test_how_something_handles_a_thing_asks_for_no_relation() -> None:
    assert (
        asked_relations("How does OrderService handle failures?", ["OrderService"]).relations == frozenset()
    )


def test_what_the_members_of_a_type_use_is_what_it_depends_on(asked: Any, store: ragduck.Store) -> None:
    direct, _, _ = answer(asked, store, "what does Post.Desk depend on")

    assert "2 things needed by `Post.Desk`:" in direct
    assert "- Desk.Take —Calls→ Scale.Weigh" in direct
