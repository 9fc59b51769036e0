"""Who asks how one thing reaches another is told the steps between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.question.asked_way import asked_way

SCRIPT = [
    "create table dbo.Parcel (id int);",
    "create table dbo.Letter (id int);",
    "create procedure dbo.Weigh as update dbo.Parcel set id = 1;",
    "create procedure dbo.Take as exec dbo.Weigh;",
    "create procedure dbo.Sort as select id from dbo.Letter;",
]


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
    ["how does dbo.Take reach dbo.Parcel?", "follow a parcel from procedure dbo.Take to table dbo.Parcel"],
)
def test_the_steps_from_one_to_the_other_are_told(asked: Any, store: ragduck.Store, question: str) -> None:
    answer = asked(question, store=store).state.answer

    told = answer.partition("## How one leads to the other")[2].partition("\n## ")[0]
    assert told.strip().split("\n\n") == [
        "2 steps from `dbo.Take` to `dbo.Parcel`; with their lines: "
        "`ragduck graph STORE 'dbo.Take|PROC' --to 'dbo.Parcel|TABLE'`",
        "- dbo.Take —Executes→ dbo.Weigh (post.sql:7)\n- dbo.Weigh —WritesTo→ dbo.Parcel (post.sql:5)",
    ]


@pytest.mark.parametrize(
    "question", ["how does dbo.Sort reach dbo.Parcel", "how does dbo.Sort reach Nowhere.At_All"]
)
def test_without_a_way_nothing_is_told_of_one(asked: Any, store: ragduck.Store, question: str) -> None:
    answer = asked(question, store=store).state.answer

    assert "How one leads" not in answer


@pytest.mark.parametrize(
    ("question", "ends"),
    [
        ("How does Checkout reach ordering.orders?", ("Checkout", "ordering.orders")),
        ("What is the path from Checkout.razor to table `dbo.Order`?", ("Checkout.razor", "dbo.Order")),
        ("How is the class OrderService tied to the table dbo.Order", ("OrderService", "dbo.Order")),
        ("How do users get to the page", None),
        ("Which columns moved from dbo.A to dbo.B", None),
    ],
)
def test_a_way_is_asked_for_between_two_names(question: str, ends: tuple[str, str] | None) -> None:
    assert asked_way(question) == ends
