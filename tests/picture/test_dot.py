"""A digraph that Graphviz accepts whatever the names hold."""

from __future__ import annotations

import html
import re
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from ragduck.picture.dot import dot_of, quoted

HOSTILE = st.text(max_size=20) | st.sampled_from(
    ['"]; }', "\\", '\\"', "<b>x</b>", "a\n}", "&lt;", "\\n\\l\\N", "/* x", "// x", "# x", "end", "\x00"]
)
STRING = r'"(?:[^"\\\n]|\\\\|\\"|\\n)*"'
ATTRIBUTES = rf"\[\w+=(?:{STRING}|\w+)(?:, \w+=(?:{STRING}|\w+))*\]"
LINE = re.compile(rf"    (rankdir=LR|(?:node|edge|n\d+|n\d+ -> n\d+) {ATTRIBUTES});")


def node(number: int, key: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "node_id": number, "node_key": key, "kind": key.rpartition("|")[2], "role": None, "repo": "shop",
        "branch": "main", "is_external": False,
    }  # fmt: skip
    return plain | changes


def edge(from_id: int, to_id: int, relation: str) -> dict[str, Any]:
    return {"from_id": from_id, "to_id": to_id, "relation": relation}


def test_digraph_has_a_box_per_node_and_an_arrow_per_pair() -> None:
    nodes = [node(7, "dbo.Invoice|TABLE"), node(9, "dbo.Invoice_Create|PROC", is_external=True)]
    edges = [edge(9, 7, "ReadsFrom"), edge(9, 7, "WritesTo")]

    digraph = dot_of(nodes, edges, starts=["dbo.Invoice|TABLE"])

    assert digraph.splitlines()[4:] == [
        r'    n1 [label="dbo.Invoice\nTABLE", tooltip="dbo.Invoice|TABLE", color="#2f7ed8", fillcolor="#d1e3f6", '
        'shape=cylinder, style="filled", penwidth=3];',
        r'    n2 [label="dbo.Invoice_Create\nPROC", tooltip="dbo.Invoice_Create|PROC", color="#d9822b", '
        'fillcolor="#f7e4d0", shape=component, style="filled,dashed"];',
        '    n2 -> n1 [label="ReadsFrom, WritesTo"];',
        "}",
    ]


def test_edge_to_a_node_that_is_not_shown_is_left_out() -> None:
    digraph = dot_of([node(1, "dbo.A|TABLE")], [edge(1, 2, "ForeignKey")])

    assert "->" not in digraph


@given(st.lists(st.tuples(HOSTILE, HOSTILE), min_size=1, max_size=5), HOSTILE)
def test_no_name_leaves_its_string(names: list[tuple[str, str]], relation: str) -> None:
    nodes = [node(number, f"{name}|{kind}") for number, (name, kind) in enumerate(names)]
    edges = [edge(0, number, relation) for number in range(len(nodes))]

    lines = dot_of(nodes, edges, starts=[nodes[0]["node_key"]]).removesuffix("\n").split("\n")

    assert (lines[0], lines[-1]) == ("digraph ragduck {", "}")
    for line in lines[1:-1]:
        assert LINE.fullmatch(line), line


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=60))
def test_string_is_read_back_as_the_text(text: str) -> None:
    string = quoted(text)

    assert html.unescape(re.sub(r"\\(.)", r"\1", string[1:-1])) == text


def test_lines_of_a_label_are_told_apart_from_a_backslash() -> None:
    assert quoted("a\\n", "b") == r'"a\\n\nb"'
