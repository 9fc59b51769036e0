"""Every node has its text: that of its chunks, or else its lines."""

from __future__ import annotations

from typing import Any

import pytest

from ragduck.errors import UsageError

SCRIPT = "create table dbo.A (\n    Id int,\n    constraint FK_A foreign key (Id) references dbo.B (Id)\n)\n"
KEY = "dbo.FK_A|FOREIGN_KEY"


@pytest.fixture(scope="module")
def store(shared_hand: Any) -> Any:
    part = shared_hand.Part(
        files={"a.sql": SCRIPT},
        nodes=[
            shared_hand.node("file:a.sql|FILE", source_file="a.sql", start_line=1, end_line=5),
            shared_hand.node("dbo.A|TABLE", source_file="a.sql", start_line=1, end_line=4),
            shared_hand.node(KEY, source_file="a.sql", start_line=3, end_line=3),
            shared_hand.node("dbo.B|TABLE"),
        ],
        edges=[("dbo.A|TABLE", "ForeignKey", "dbo.B|TABLE")],
    )
    with shared_hand.store(part) as opened:
        yield opened


@pytest.mark.parametrize("written", [KEY, "dbo.FK_A", "fk_a"])
def test_a_node_without_a_chunk_has_its_lines(store: Any, written: str) -> None:
    (found,) = store.text_of(written)

    assert found["text"] == "    constraint FK_A foreign key (Id) references dbo.B (Id)"
    assert (found["location"], found["element_name"]) == ("a.sql:3-3", "FK_A")


@pytest.mark.parametrize("written", ["dbo.A|TABLE", "dbo.A", "A", "dbo.A|TABLE_OR_VIEW"])
def test_a_node_with_a_chunk_has_the_text_of_the_chunk(store: Any, written: str) -> None:
    (found,) = store.text_of(written)

    assert found["text"] == SCRIPT.rstrip("\n")


@pytest.mark.parametrize("written", ["file:a.sql|FILE", "a.sql"])
def test_a_file_has_its_whole_text(store: Any, written: str) -> None:
    (found,) = store.text_of(written)

    assert found["text"].rstrip("\n") == SCRIPT.rstrip("\n")


def test_what_the_store_does_not_define_has_no_text(store: Any) -> None:
    with pytest.raises(UsageError, match="does not define it"):
        store.text_of("dbo.B|TABLE")


def test_an_ambiguous_name_has_no_text(hand: Any) -> None:
    part = hand.Part(nodes=["dbo.X|TABLE", "csharp:Shop.X|TYPE"])

    with hand.store(part) as store, pytest.raises(UsageError, match="may be"):
        store.text_of("X")


@pytest.fixture(scope="module")
def files(shared_hand: Any) -> Any:
    paths = ["src/Orders/Order.cs", "src/Orders/Tax.cs", "src/Sales/Order.cs", "src/Sales/order.cs", "a.md"]
    with shared_hand.store(shared_hand.Part(files={path: f"// {path}\n// 2\n" for path in paths})) as opened:
        yield opened


@pytest.mark.parametrize(
    ("written", "location"),
    [
        ("Tax.cs:2", "src/Orders/Tax.cs:2-2"),
        ("Orders/Order.cs:1-2", "src/Orders/Order.cs:1-2"),
        ("orders\\ORDER.cs:1", "src/Orders/Order.cs:1-1"),
        ("Sales/order.cs:1", "src/Sales/order.cs:1-1"),
        ("/home/ann/shop/src/Orders/Tax.cs:1", "src/Orders/Tax.cs:1-1"),
        ("Orders/Order.cs", "src/Orders/Order.cs:1-2"),
        ("C:\\work\\src\\Sales\\Order.cs", "src/Sales/Order.cs:1-2"),
    ],
)
def test_the_end_of_a_path_is_enough(files: Any, written: str, location: str) -> None:
    assert [found["location"] for found in files.text_of(written)] == [location]


@pytest.mark.parametrize(("written", "lines"), [("Order.cs:2", ":2"), ("sales/ORDER.cs:1-2", ":1-2")])
def test_the_paths_that_end_so_are_told_with_the_lines(files: Any, written: str, lines: str) -> None:
    with pytest.raises(UsageError, match="may be") as error:
        files.text_of(written)

    assert f"src/Sales/Order.cs{lines}" in str(error.value)


@pytest.mark.parametrize(
    "written",
    ["er.cs:1", "Nowhere/Order.cs:1", "docs/a.md:1", "/shop/docs/a.md", "x/src/Orders/Tax.cs", "", "/"],
)
def test_a_path_that_none_ends_with_is_unknown(files: Any, written: str) -> None:
    with pytest.raises(UsageError, match="nothing called"):
        files.text_of(written)
