"""A chunk that several branches share is one result, which names the branches."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import ragduck
from ragduck.search import Mode
from ragduck.search.run import copies_of

SHARED = 12


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ragduck.Store]:
    """Three branches of a repository, of which one has another text of one table, and another repository."""
    folder = tmp_path_factory.mktemp("branches")
    source = folder / "shop"
    source.mkdir()
    for number in range(SHARED):
        (source / f"order{number}.sql").write_text(f"create table dbo.Order{number} (Id int);\n")
    for branch in ("main", "next", "old"):
        column = "Label" if branch == "next" else "Name"
        (source / "order0.sql").write_text(f"create table dbo.Order0 (\n    {column} int\n);\n")
        ragduck.prepare(source, folder / "s.duckdb", repo="shop", branch=branch, embed_model="hashing:64")
    ragduck.prepare(source, folder / "s.duckdb", repo="copy", branch="main", embed_model="hashing:64")
    with ragduck.open(folder / "s.duckdb") as opened:
        yield opened


@pytest.mark.parametrize("mode", ["hybrid", "bm25", "semantic"])
def test_results_are_filled_with_different_chunks(store: ragduck.Store, mode: Mode) -> None:
    results = store.search("create table order", mode=mode, top_k=8, filters={"repo": ["shop"]}).results

    assert len({(each["source_file"], each["text"]) for each in results}) == len(results) == 8
    for each in results:
        branches = [each["branch"], *each.get("also_in", ())]
        assert len(set(branches)) == len(branches) <= 3
    assert any(each.get("also_in") for each in results)


def test_what_differs_is_told_apart(store: ragduck.Store) -> None:
    results = store.search("Order0 Name Label", mode="bm25", top_k=4, filters={"repo": ["shop"]}).results

    found = {each["text"].split()[4]: each for each in results if each["source_file"] == "order0.sql"}
    assert sorted([found["Name"]["branch"], *found["Name"]["also_in"]]) == ["main", "old"]
    assert found["Label"]["branch"] == "next"
    assert "also_in" not in found["Label"]


def test_a_branch_that_is_asked_for_stands_alone(store: ragduck.Store) -> None:
    results = store.search("create table order", filters={"branch": ["next"]}, top_k=5).results

    assert [each["branch"] for each in results] == ["next"] * 5
    assert not any("also_in" in each for each in results)


def test_repositories_are_told_apart(store: ragduck.Store) -> None:
    results = store.search("Order3", mode="bm25", top_k=2).results

    assert {(each["repo"], each["source_file"]) for each in results} == {
        ("shop", "order3.sql"),
        ("copy", "order3.sql"),
    }


def test_copies_are_counted_by_repository() -> None:
    request = ragduck.SearchRequest("order")

    assert copies_of([], request) == 1
    assert copies_of(["a", "b"], request) == 1
    assert copies_of(["a", "b", "a"], request) == 2
    assert copies_of(["a"] * 9, request) == 4
    assert copies_of(["a", "a"], ragduck.SearchRequest("order", filters={"branch": ["x"]})) == 1
