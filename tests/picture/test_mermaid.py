"""A flowchart that Mermaid accepts whatever the names hold."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragduck.picture.mermaid import MAX_TIES, escaped, excess_of, mermaid_of

HOSTILE = st.text(max_size=20) | st.sampled_from(
    [
        'end"]',
        "<script>alert(1)</script>",
        "a\n    n9 --> n1",
        "%%{init: {}}%%",
        "`x`",
        "__init__",
        "1. a",
        "click",
    ]
)
BOX = r'(\[\(|\[\[|\(|\{\{|\[)"(?P<label>[^"]*)"(\)\]|\]\]|\)|\}\}|\])'
LINE = re.compile(
    rf"flowchart LR|    (n\d+{BOX}|n\d+ -->\|\"(?P<relation>[^\"]*)\"\| n\d+"
    r"|classDef \w+ [\w:#, -]+|class n\d+(,n\d+)* \w+)"
)
PLAIN = re.compile(r"(<br/>|#\d+;|[\w ,./-])*")


def node(number: int, key: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "node_id": number, "node_key": key, "kind": key.rpartition("|")[2], "role": None, "repo": "shop",
        "branch": "main", "is_external": False,
    }  # fmt: skip
    return plain | changes


def edge(from_id: int, to_id: int, relation: str) -> dict[str, Any]:
    return {"from_id": from_id, "to_id": to_id, "relation": relation}


def test_chart_has_a_box_per_node_and_an_arrow_per_pair() -> None:
    nodes = [node(7, "dbo.Invoice|TABLE"), node(9, "csharp:Shop.Orders.Place|METHOD", role="ACTION")]
    edges = [edge(9, 7, "ReadsFrom"), edge(9, 7, "WritesTo"), edge(9, 7, "ReadsFrom")]

    chart = mermaid_of(nodes, edges, starts=["dbo.Invoice|TABLE"])

    assert chart.splitlines()[:4] == [
        "flowchart LR",
        '    n1[("dbo.Invoice<br/>TABLE")]',
        '    n2("Orders.Place<br/>METHOD, ACTION")',
        '    n2 -->|"ReadsFrom, WritesTo"| n1',
    ]
    assert chart.endswith("    classDef start stroke-width:4px\n    class n1 start\n")


def test_kinds_and_external_nodes_are_marked() -> None:
    chart = mermaid_of([node(1, "dbo.A|TABLE"), node(2, "dbo.B|TABLE", is_external=True)], [])

    assert "    class n1,n2 kindTABLE\n" in chart
    assert "    class n2 external\n" in chart


def test_edge_to_a_node_that_is_not_shown_is_left_out() -> None:
    chart = mermaid_of([node(1, "dbo.A|TABLE")], [edge(1, 2, "ForeignKey")])

    assert "-->" not in chart


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("dbo.Invoice_Create", "dbo.Invoice_Create"),
        ("Zamówienie 漢字", "Zamówienie 漢字"),
        ('a"b', "a#34;b"),
        ("a#35;b", "a#35;35#59;b"),
        ("List<Order>", "List#60;Order#62;"),
        ("__init__", "#95;#95;init#95;#95;"),
        ("1. first", "1#46; first"),
        ("- item", "#45; item"),
        ("www.example.com", "www#46;example.com"),
        ("two\nlines", "two lines"),
    ],
)
def test_label_says_what_would_mean_something_in_numbers(text: str, label: str) -> None:
    assert escaped(text) == label


@given(st.lists(st.tuples(HOSTILE, HOSTILE), min_size=1, max_size=5), HOSTILE)
def test_no_name_leaves_its_label(names: list[tuple[str, str]], relation: str) -> None:
    nodes = [node(number, f"{name}|{kind}") for number, (name, kind) in enumerate(names)]
    edges = [edge(0, number, relation) for number in range(len(nodes))]

    chart = mermaid_of(nodes, edges, starts=[nodes[0]["node_key"]])

    for line in chart.removesuffix("\n").split("\n"):
        found = LINE.fullmatch(line)
        assert found, line
        assert PLAIN.fullmatch(found["label"] or found["relation"] or "")


@given(st.text(st.characters(exclude_categories=["C", "Z"]), max_size=60))
def test_label_is_read_back_as_the_text(text: str) -> None:
    read = html.unescape(re.sub(r"#(\d+);", r"&#\1;", escaped(text)))

    assert read == text


def test_long_name_is_cut() -> None:
    assert escaped("x" * 500) == "x" * 59 + "#8230;"


def test_chart_that_viewers_refuse_is_told() -> None:
    nodes = [node(number, f"dbo.T{number}|TABLE") for number in range(MAX_TIES + 2)]
    few = mermaid_of(nodes[:3], [edge(0, 1, "ForeignKey")])
    many = mermaid_of(nodes, [edge(0, number, "ForeignKey") for number in range(1, MAX_TIES + 2)])

    assert excess_of(few) == ""
    assert excess_of(many) == "Mermaid draws 500 arrows at most"
