"""A table of edges is a sequence like any other; equal edges become one in it."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck import edge_table
from ragduck.edge_table import EdgeTable, gathered, merged, together
from ragduck.graph.code import edges as code_edges
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.model import Edge

words = st.sampled_from(["a", "b", "ł", ""])
edges = st.builds(
    Edge, words, words, words, words, st.integers(-1, 3), words, st.sampled_from([0.6, 0.9, 1.0]), words,
    st.integers(1, 4),
)  # fmt: skip


def said(edge: Edge) -> tuple[str, ...]:
    return edge.from_key, edge.to_key, edge.relation, edge.rule, edge.detail


@given(st.lists(edges))
def test_a_table_holds_what_it_was_given(given_edges: list[Edge]) -> None:
    table = EdgeTable.of(given_edges)

    assert list(table) == given_edges == [table[place] for place in range(len(table))]
    assert list(table[1:]) == given_edges[1:]


@given(st.lists(edges), st.dictionaries(words, words))
def test_ends_can_be_renamed(given_edges: list[Edge], names: dict[str, str]) -> None:
    renamed = EdgeTable.of(given_edges).renamed(names)

    assert list(renamed) == [
        replace(
            edge, from_key=names.get(edge.from_key, edge.from_key), to_key=names.get(edge.to_key, edge.to_key)
        )
        for edge in given_edges
    ]
    assert len(set(renamed.words.to_pylist())) == len(renamed.words)


@given(st.lists(edges), st.sets(words))
def test_edges_of_some_files_can_be_left_out(given_edges: list[Edge], paths: set[str]) -> None:
    left = EdgeTable.of(given_edges).without(paths).alone()

    assert list(left) == [edge for edge in given_edges if edge.source_file not in paths]
    assert set(left.words.to_pylist()) == {word for edge in left for word in (*said(edge), edge.source_file)}


@given(st.lists(st.lists(edges)))
def test_tables_put_together_hold_what_they_held(parts: list[list[Edge]]) -> None:
    table = together([EdgeTable.of(part) for part in parts])

    assert list(table) == [edge for part in parts for edge in part]


@given(st.lists(edges), st.lists(edges), st.lists(st.lists(edges)))
def test_tables_over_one_list_of_words_are_put_together_with_others(
    found: list[Edge], some: list[Edge], others: list[list[Edge]]
) -> None:
    both = together([EdgeTable.of(found), EdgeTable.of(some)])
    parts = [both[: len(found)], both[len(found) :], *map(EdgeTable.of, others)]

    every = [edge for part in (found, some, *others) for edge in part]
    for table in (together(parts), together(parts[::-1])):
        assert sorted(table, key=repr) == sorted(every, key=repr)
        assert len(set(table.words.to_pylist())) == len(table.words)
    assert gathered(parts) == gathered([EdgeTable.of(every)])


def test_a_table_keeps_its_words_where_others_bring_none() -> None:
    known = EdgeTable.of(Edge(f"m{n}|METHOD", "a|TYPE", "Calls", "a.cs", n, "new") for n in range(9))
    found = EdgeTable.of(list(known)[2:4])

    assert together([known, found]).words is known.words
    assert together([found, known]).words is known.words


@given(st.lists(edges), words, st.sets(words))
def test_edges_are_chosen_by_words(given_edges: list[Edge], path: str, keys: set[str]) -> None:
    table = EdgeTable.of(given_edges)

    assert list(table.chosen(table.have("source_file", (path,)))) == [
        edge for edge in given_edges if edge.source_file == path
    ]
    ends = {key for edge in given_edges for key in (edge.from_key, edge.to_key)}
    assert table.ends_beside(pa.chunked_array([pa.array(list(keys), pa.string())])) == ends - keys


@given(st.lists(st.lists(edges)))
def test_merged_edges_have_the_first_of_the_surest_sites(parts: list[list[Edge]]) -> None:
    together = sorted((edge for part in parts for edge in part), key=said)
    expected = []
    for _, group in groupby(together, key=said):
        same = list(group)
        first = min(same, key=lambda edge: (-edge.confidence, edge.source_file, edge.line))
        expected.append(replace(first, sites=sum(edge.sites for edge in same)))

    assert list(merged(parts)) == expected


@given(st.lists(edges))
def test_gathered_edges_have_the_first_site_and_the_highest_confidence(found: list[Edge]) -> None:
    together = sorted(found, key=said)
    expected = []
    for _, group in groupby(together, key=said):
        same = list(group)
        first = min(same, key=lambda edge: (edge.source_file, edge.line))
        surest = max(edge.confidence for edge in same)
        expected.append(replace(first, sites=sum(edge.sites for edge in same), confidence=surest))

    assert list(gathered([EdgeTable.of(found)])) == expected


@given(st.lists(edges))
def test_what_needs_too_large_a_number_is_told_apart_all_the_same(found: list[Edge]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(edge_table, "LARGEST", 4)

        few = merged([found])

    assert few == merged([found])


@pytest.mark.parametrize("waiting", [1, 2, 1000])
def test_what_is_put_away_is_still_merged(monkeypatch: pytest.MonkeyPatch, waiting: int) -> None:
    monkeypatch.setattr(code_edges, "MAX_WAITING", waiting)
    collector = EdgeCollector({"b": "B"})
    for path, line, sure in (("y", 2, 0.6), ("x", 9, 0.5), ("y", 1, 0.9)):
        collector.add("a", "b", relation="Calls", rule="r", at=Site(path, line), confidence=sure)
        collector.add("a", "c", relation="Calls", rule="r", at=Site(path, line), confidence=sure)
    collector.add("b", "B", relation="Calls", rule="r", at=Site("x", 1))

    assert list(collector.edges()) == [Edge("a", to, "Calls", "x", 9, "r", 0.9, sites=3) for to in ("B", "c")]


def test_edges_of_files_can_be_kept_apart() -> None:
    collector = EdgeCollector()
    for path, line in (("y", 2), ("x", 9), ("y", 1)):
        collector.add("a", "b", relation="Calls", rule="r", at=Site(path, line))

    apart = sorted(collector.apart(), key=lambda edge: edge.source_file)

    assert [(edge.source_file, edge.line, edge.sites) for edge in apart] == [("x", 9, 1), ("y", 1, 2)]
    assert [(edge.source_file, edge.line, edge.sites) for edge in collector.edges()] == [("x", 9, 3)]
