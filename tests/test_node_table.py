"""Nodes of some files take the place of those that stood there, wherever these files come."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ragduck import node_table
from ragduck.model import Node
from ragduck.node_table import NodeTable

PATHS = ("d.cs", "b.cs", "a.cs", "c.cs")  # in their order
counts = st.dictionaries(st.sampled_from(PATHS), st.tuples(st.booleans(), st.integers(0, 3)))


def nodes_of(declared: Mapping[str, tuple[bool, int]], tag: str) -> list[Node]:
    """Return the node of each file that has one, then those of what files declare."""

    def node(key: str, kind: str, path: str) -> Node:
        return Node(key, kind, key, "regular_code", source_file=path, start_line=1, end_line=2)

    ordered = [(path, *declared[path]) for path in PATHS if path in declared]
    files = [node(f"file:{path}|FILE", "FILE", path) for path, has_own, _ in ordered if has_own]
    return files + [
        node(f"{path}.{tag}{number}|TYPE", "TYPE", path)
        for path, _, many in ordered
        for number in range(many)
    ]


@pytest.mark.parametrize("few", [0, 50])
@given(known=counts, others=counts, order=st.permutations(PATHS))
@example(known={"b.cs": (True, 2)}, others={"a.cs": (True, 1), "c.cs": (True, 1)}, order=PATHS)
@example(known=dict.fromkeys(PATHS, (True, 2)), others={"b.cs": (False, 0)}, order=PATHS)
@example(known=dict.fromkeys(PATHS, (True, 2)), others={"b.cs": (True, 1)}, order=tuple(sorted(PATHS)))
def test_nodes_of_some_files_take_the_place_of_those(
    few: int,
    known: Mapping[str, tuple[bool, int]],
    others: Mapping[str, tuple[bool, int]],
    order: Sequence[str],
) -> None:
    before, made = nodes_of(known, "old"), nodes_of(others, "new")
    rank = {path: (number, path) for number, path in enumerate(order)}
    standing = [*(one for one in before if one.source_file not in others), *made]
    is_in_order = list(order) == list(PATHS)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(node_table, "FEW_FILES", few)
        found = NodeTable.of(before).with_files(NodeTable.of(made), others.keys(), order)

    if is_in_order or not few:
        expected = sorted(standing, key=lambda one: (one.kind != "FILE", rank[one.source_file or ""]))
        assert list(found) == expected
    else:
        assert sorted(found, key=repr) == sorted(standing, key=repr)
