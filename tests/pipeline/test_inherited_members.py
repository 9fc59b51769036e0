"""Members that a type inherits are found by the name of that type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import ragduck
from ragduck.pipeline.retrieval.named_nodes import declared_names
from ragduck.pipeline.state import State

DEPOT = """\
namespace Depot
{
    public interface IRead<T>
    {
        T ById(int id);
    }
    public interface IShelves : IRead<Shelf>
    {
        void Empty(Shelf shelf);
    }
    public class Shelf
    {
    }
    public class Clerk
    {
        private readonly IShelves _shelves;
        public Clerk(IShelves shelves) { _shelves = shelves; }
        public void Tidy(int id) { _shelves.Empty(_shelves.ById(id)); }
    }
}
"""
STEPS: tuple[dict[str, Any], ...] = (
    {"id": "understand", "action": "understand_question"},
    {"id": "search", "action": "search_nodes"},
    {"id": "judge", "action": "check_entry_points", "on_good": "expand", "on_weak": "weak"},
    {"id": "expand", "action": "expand_dependency_tree", "end": True},
    {"id": "weak", "action": "state_limits", "end": True},
)
BY_ID = "csharp:Depot.IRead.ById|METHOD"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    folder = tmp_path_factory.mktemp("depot")
    (folder / "source").mkdir()
    (folder / "source" / "Depot.cs").write_text(DEPOT)
    ragduck.prepare(folder / "source", folder / "depot.duckdb", repo="depot", embed_model="none")
    with ragduck.open(folder / "depot.duckdb") as opened:
        yield opened


def test_the_type_and_the_declared_member_take_the_place_of_the_name(store: ragduck.Store) -> None:
    names = declared_names(store.rows, ["IShelves.ById", "IShelves.Empty", "ById", "Depot.IShelves.ById"])

    assert names == ("IShelves", "IRead.ById", "IShelves.Empty", "ById", "Depot.IShelves")


def test_members_of_other_branches_are_not_meant(store: ragduck.Store) -> None:
    assert declared_names(store.rows, ["IShelves.ById"], branch="other") == ("IShelves.ById",)


def test_a_question_is_about_both(run: Any, store: ragduck.Store) -> None:
    question = "Who calls IShelves.ById?"

    ran = run(*STEPS, state=State(question, question_en=question), store=store)

    assert set(ran.state.entry_nodes) == {BY_ID, "csharp:Depot.IShelves|TYPE"}
    edges = [(edge.from_key, edge.relation, edge.to_key) for edge in ran.state.neighbourhood.edges]
    assert ("csharp:Depot.Clerk.Tidy|METHOD", "Calls", BY_ID) in edges
