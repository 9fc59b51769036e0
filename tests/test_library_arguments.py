"""What the Python interface is given wrongly is refused with what was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck.errors import UsageError
from ragduck.library import Store

WRONG: dict[str, Callable[[Any], object]] = {
    "where is 5, not text": lambda store: store.search("x", where=5),
    "there is no setting 'topk'": lambda store: store.search("x", topk=3),
    "there is no setting 'text'": lambda store: store.search("x", text="y"),
    "filter kind is {'a': 1}": lambda store: store.search("x", filters={"kind": {"a": 1}}),
    "filter start_line is <object": lambda store: store.search("x", filters={"start_line": object()}),
    "the statement is a NoneType": lambda store: store.sql(None),
    "the key is None, not text": lambda store: store.text_of(None),
    "a node is None, not text": lambda store: store.callers(None),
    "a node is 5, not text": lambda store: store.neighbourhood(["dbo.Order", 5]),
    "a node is 7, not text": lambda store: store.path_between("dbo.Order", 7),
    "depth is 'x'": lambda store: store.callees("dbo.Order", depth="x"),
    "max_nodes is 1.5": lambda store: store.neighbourhood("dbo.Order", max_nodes=1.5),
    "max_depth is 0": lambda store: store.path_between("dbo.Order", "dbo.Invoice", max_depth=0),
    "there is no setting 'max_node'": lambda store: store.impact("dbo.Order", max_node=5),
    "there is no setting 'relations'": lambda store: store.callers("dbo.Order", relations="FK"),
    "the question is None, not text": lambda store: ragduck.ask(store, None),  # type: ignore[arg-type]
}


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.mark.parametrize("told", WRONG)
def test_wrong_arguments_are_refused(store: Store, told: str) -> None:
    with pytest.raises(UsageError) as refused:
        WRONG[told](store)

    assert refused.value.message.startswith(told)
    assert refused.value.hint


def test_a_setting_that_is_nearly_right_is_told(store: Store) -> None:
    with pytest.raises(UsageError) as refused:
        store.search("invoice", topk=3)

    assert refused.value.hint == "did you mean top_k?"


def test_several_nodes_may_be_a_set(store: Store) -> None:
    assert store.neighbourhood({"dbo.Order"}, depth=0).starts == ("dbo.Order|TABLE",)  # type: ignore[arg-type]


def test_callers_tell_whether_there_are_more_beyond_the_depth(store: Store) -> None:
    more = "there is more beyond depth 3"

    assert store.impact("dbo.Stock_Reserve", depth=3).notes == (more,)
    assert store.impact("dbo.Stock_Reserve", depth=12).notes == ()
    assert store.callees("dbo.Stock_Reserve", depth=3).notes == ()
    assert more not in store.neighbourhood("dbo.Stock_Reserve", depth=3).notes


def test_a_walk_that_is_cut_is_told_to_be_that_alone(store: Store) -> None:
    found = store.impact("dbo.Stock_Reserve", depth=1, max_nodes=2)

    assert found.is_cut
    assert found.notes == ()


def test_callers_tell_which_are_types_that_inherit_what_executes_it(store: Store) -> None:
    found = store.callers("dbo.Customer_ReadById")

    assert (
        "executed by code that a type inherits, whose callers the impact tells: "
        "csharp:Shop.Data.Repositories.CustomerRepository|TYPE"
    ) in found.notes
    for other in (store.callers("dbo.Stock_Reserve"), store.impact("dbo.Customer_ReadById")):
        assert not [note for note in other.notes if "inherits" in note]
