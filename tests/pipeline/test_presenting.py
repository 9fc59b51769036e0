"""The extractive answer: short enough for a terminal, what was asked for first."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from ragduck.pipeline.answering.presenting import extractive_answer, found_gaps
from ragduck.pipeline.question.understanding import understood_by_rules
from ragduck.pipeline.state import EvidenceBlock, State
from ragduck.search.neighbourhood import GraphEdge, GraphNode, Neighbourhood


def node(number: int, key: str, **fields: Any) -> GraphNode:
    place = {"source_file": f"{number}.cs", "start_line": 1, "end_line": 9, **fields}
    return GraphNode(number, key, key.rpartition("|")[2], key, "shop", "main", "db_code", False, **place)


def tied(number: int, key: str, relation: str, **fields: Any) -> GraphNode:
    step = {"distance": 1, "direction": "in", "via_key": "dbo.A|TABLE", "via_id": 1, **fields}
    return node(number, key, relation=relation, **step)


def edge(number: int, from_key: str, relation: str, *, to: int = 1, to_key: str = "dbo.A|TABLE") -> GraphEdge:
    return GraphEdge(
        number + 100,
        number,
        to,
        from_key,
        to_key,
        relation,
        "shop",
        "main",
        "p.sql",
        4,
        None,
        "",
        1.0,
        "",
        1,
    )


def state_with(
    *nodes: GraphNode,
    edges: Sequence[GraphEdge] = (),
    question: str = "What is dbo.A?",
    is_cut: bool = False,
    start: str = "dbo.A|TABLE",
) -> State:
    around = Neighbourhood((start,), (node(1, start), *nodes), tuple(edges), is_cut=is_cut)
    return State(
        question,
        question_en=question,
        neighbourhood=around,
        entry_nodes=(start,),
        understanding=understood_by_rules(question),
    )


def test_relations_that_are_asked_for_come_first() -> None:
    nodes = (tied(2, "dbo.Read|PROC", "ReadsFrom"), tied(3, "dbo.Write|PROC", "WritesTo"))
    edges = (edge(2, "dbo.Read|PROC", "ReadsFrom"), edge(3, "dbo.Write|PROC", "WritesTo"))

    text = extractive_answer(state_with(*nodes, edges=edges, question="which procedures write dbo.A"))

    assert "dbo.Write —WritesTo→ dbo.A" in text
    assert "dbo.Read" not in text.split("What else")[0]


def test_all_relations_that_are_asked_for_are_shown() -> None:
    nodes = [tied(number, f"dbo.P{number}|PROC", "ReadsFrom") for number in range(2, 17)]
    edges = [edge(number, f"dbo.P{number}|PROC", "WritesTo") for number in range(2, 17)]

    text = extractive_answer(state_with(*nodes, edges=edges, question="which procedures write dbo.A"))

    assert text.count("—WritesTo→ dbo.A (p.sql:4)") == 15


def test_tests_come_after_other_relations() -> None:
    state = state_with(
        tied(2, "csharp:Tests.A|METHOD", "Calls", role="TEST"), tied(3, "csharp:Web.B|METHOD", "Calls")
    )

    text = extractive_answer(state)

    assert text.index("Web.B") < text.index("Tests.A")


def test_places_of_what_more_there_is_of_a_text_stand_below_it() -> None:
    state = state_with()
    places = ("up.sql:4-4", "up.sql:9-9", "up.sql:12-12", "up.sql:20-20")
    state.evidence = (
        EvidenceBlock("dbo.A|TABLE", "text", "create table A", 4, location="a.sql:1-1", elsewhere=places),
    )

    text = extractive_answer(state)

    assert (
        "```\n(more of it at `up.sql:4-4`, `up.sql:9-9`, `up.sql:12-12` and 1 more: "
        "`ragduck show STORE 'dbo.A|TABLE'`)" in text
    )


def test_the_place_of_an_entry_point_stands_on_a_line_of_its_own() -> None:
    text = extractive_answer(state_with())

    assert "- `dbo.A|TABLE`\n  1.cs:1-9" in text


def test_an_entry_point_that_nothing_defines_is_not_put_where_it_is_named() -> None:
    state = state_with()
    [start] = state.neighbourhood.nodes if state.neighbourhood else ()
    undefined = replace(start, is_external=True, source_file=None)
    state.neighbourhood = Neighbourhood((start.node_key,), (undefined,), ())
    state.hits = ({"data_type": "db_code", "node_key": "dbo.A|TABLE", "location": "p.sql:4-9"},)

    text = extractive_answer(state)

    assert "- `dbo.A|TABLE`\n  defined nowhere in the store" in text
    assert "p.sql" not in text


def test_of_many_texts_that_were_left_out_a_few_are_named() -> None:
    state = state_with()
    state.skipped = tuple(f"A{number}|PROC" for number in range(9))

    [gap] = [gap for gap in found_gaps(state, has_model=True) if gap.startswith("Left out")]

    assert gap == "Left out for want of room: `A0|PROC`, `A1|PROC`, `A2|PROC` and 6 more."


def test_what_ties_entry_points_to_each_other_comes_first() -> None:
    procedure = node(2, "dbo.P|PROC")
    state = state_with(
        tied(3, "dbo.Q|PROC", "ReadsFrom"), procedure, edges=[edge(2, "dbo.P|PROC", "WritesTo")]
    )

    lines = [line for line in extractive_answer(state).split("\n") if "→" in line]

    assert lines[0].startswith("- dbo.P —WritesTo→ dbo.A (p.sql:4)")
    assert lines[1].startswith("- dbo.Q —ReadsFrom→ dbo.A")


PLACE = "csharp:Shop.Order.Place|METHOD"


def calls_around(question: str, **settings: Any) -> str:
    """Return what is said of a method that Web.Pay calls and that calls Mail.Send."""
    nodes = (
        tied(2, "csharp:Web.Pay|METHOD", "Calls", via_key=PLACE, edge_no=102),
        tied(3, "csharp:Mail.Send|METHOD", "Calls", via_key=PLACE, direction="out", edge_no=101),
    )
    edges = (
        edge(2, "csharp:Web.Pay|METHOD", "Calls", to_key=PLACE),
        edge(1, PLACE, "Calls", to=3, to_key="csharp:Mail.Send|METHOD"),
    )
    state = state_with(*nodes, edges=edges, question=question, start=PLACE, **settings)
    return extractive_answer(state)


def test_who_calls_something_is_asked_of_its_callers_alone() -> None:
    text = calls_around("who calls Order.Place")

    assert "- Web.Pay —Calls→ Order.Place" in text
    assert "1 caller of `Order.Place`:" in text
    assert "Mail.Send" not in text.split("## What else is around it")[0]


def test_what_something_calls_is_asked_of_that_alone() -> None:
    text = calls_around("what does Order.Place call")

    assert "- Order.Place —Calls→ Mail.Send" in text
    assert "1 call by `Order.Place`:" in text
    assert "Web.Pay" not in text.split("## What else is around it")[0]


@pytest.mark.parametrize(
    ("question", "none"),
    [
        ("who calls Mail.Send", "No caller of `Mail.Send` is known: calls by reflection"),
        ("what does Mail.Send call", "No call by `Mail.Send` is known: calls by reflection"),
        ("what does Mail.Send write", "No object written by `Mail.Send` is known: statements"),
        ("which classes implement Mail.Send", "No implementation of `Mail.Send` is known: packages"),
        ("where is Mail.Send used", "No use of `Mail.Send` is known: calls by reflection"),
    ],
)
def test_where_nothing_is_known_that_is_asked_for_that_is_said_first(question: str, none: str) -> None:
    key = "csharp:Shop.Mail.Send|METHOD"
    other = tied(2, "csharp:Shop.Mail|TYPE", "Contains", via_key=key)

    text = extractive_answer(state_with(other, question=question, start=key), total=0)

    found, _, rest = text.partition("## What else is around it")
    assert none in found
    assert "→" not in found
    assert "Shop.Mail —Contains→ Mail.Send" in rest


def test_what_handles_something_is_told_where_no_caller_is_known() -> None:
    key = "csharp:Web.Pay.Page_Load|METHOD"
    page = tied(2, "file:Pay.aspx|FILE", "Handles", via_key=key, edge_no=102)
    state = state_with(
        page,
        edges=[edge(2, "file:Pay.aspx|FILE", "Handles", to_key=key)],
        question="who calls Pay.Page_Load",
        start=key,
    )

    text = extractive_answer(state, total=0)

    assert "No caller of `Pay.Page_Load` is known" in text
    assert "It is used otherwise:\n\n**Code**\n\n- Pay.aspx —Handles→ Pay.Page_Load" in text


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("where is Letter.Stamp read", "csharp:Shop.Letter.Stamp|PROPERTY"),
        ("which classes reference Letter.Stamp", "csharp:Shop.Letter.Stamp|TYPE"),
    ],
)
def test_who_reads_a_property_or_references_a_type_asks_for_its_uses(question: str, key: str) -> None:
    user = tied(2, "csharp:Web.Pay|METHOD", "Uses", via_key=key, edge_no=102)
    state = state_with(
        user,
        edges=[edge(2, "csharp:Web.Pay|METHOD", "Uses", to_key=key)],
        question=question,
        start=key,
    )

    assert "1 use of `Letter.Stamp`:" in extractive_answer(state, total=0)


def test_that_members_of_a_type_are_not_looked_at_is_said() -> None:
    text = extractive_answer(
        state_with(question="who calls Shop.Mail", start="csharp:Shop.Mail|TYPE"), total=0
    )

    assert (
        "No caller of `Shop.Mail` itself is known; with its members: "
        "`ragduck graph STORE 'csharp:Shop.Mail|TYPE' --callers --depth 1`." in text
    )


def test_how_many_more_there_are_is_not_said_of_a_walk_that_was_cut() -> None:
    nodes = [tied(number, f"dbo.P{number}|PROC", "ReadsFrom") for number in range(2, 17)]

    text = extractive_answer(state_with(*nodes, is_cut=True))

    assert "- … and more" in text


def test_a_walk_that_was_cut_names_the_next_step() -> None:
    state = state_with(tied(2, "dbo.P|PROC", "ReadsFrom"), is_cut=True)

    [gap] = [gap for gap in found_gaps(state, has_model=True) if "goes on" in gap]

    assert gap == (
        "The graph goes on beyond the 2 nodes that were looked at: `ragduck graph STORE 'dbo.A|TABLE'` "
        "goes on from the first."
    )


def test_where_what_is_asked_for_is_counted_the_rest_of_the_graph_is_no_gap() -> None:
    state = state_with(tied(2, "dbo.P|PROC", "ReadsFrom"), question="who reads dbo.A", is_cut=True)

    assert not [gap for gap in found_gaps(state, has_model=True) if "goes on" in gap]


def test_where_not_all_that_is_asked_for_is_shown_the_number_and_the_command_are() -> None:
    nodes = [tied(number, f"dbo.P{number}|PROC", "WritesTo") for number in range(2, 42)]
    edges = [edge(number, f"dbo.P{number}|PROC", "WritesTo") for number in range(2, 42)]
    state = state_with(*nodes, edges=edges, question="who writes dbo.A", is_cut=True)

    text = extractive_answer(state, total=70)

    assert (
        "30 of 70 writers of `dbo.A`; all: `ragduck graph STORE 'dbo.A|TABLE' -r WritesTo --direction in --depth 1`"
        in text
    )


def test_the_command_asks_for_as_many_nodes_as_there_are() -> None:
    state = state_with(question="who calls dbo.A", is_cut=True)
    state.neighbourhood = Neighbourhood(
        ("dbo.A|TABLE",),
        (node(1, "dbo.A|TABLE"), tied(2, "dbo.P|PROC", "Calls")),
        (edge(2, "dbo.P|PROC", "Calls"),),
        is_cut=True,
    )

    text = extractive_answer(state, total=300)

    assert (
        "1 of 300 callers of `dbo.A`; all: `ragduck graph STORE 'dbo.A|TABLE' --callers --depth 1 --max-nodes 301`"
        in text
    )


def test_the_command_is_harmless_whatever_a_repository_calls_its_schemas() -> None:
    key = "x'; rm -rf ~; `id`.Order_Place|PROC"
    state = state_with(question="who calls Order_Place", is_cut=True, start=key)

    calling = tied(2, "dbo.P|PROC", "Calls", via_key=key)
    state.neighbourhood = Neighbourhood(
        (key,), (node(1, key), calling), (edge(2, "dbo.P|PROC", "Calls", to_key=key),), is_cut=True
    )
    command = extractive_answer(state, total=3).partition("; all: `` ")[2].partition(" ``\n")[0]

    assert shlex.split(command)[:4] == ["ragduck", "graph", "STORE", key]


def test_where_all_that_is_asked_for_is_shown_no_command_is() -> None:
    state = state_with(
        tied(2, "dbo.P|PROC", "WritesTo"),
        edges=[edge(2, "dbo.P|PROC", "WritesTo")],
        question="who writes dbo.A",
        is_cut=True,
    )

    text = extractive_answer(state, total=1)

    assert "1 writer of `dbo.A`:" in text
    assert "all:" not in text


def test_the_side_that_has_what_is_asked_for_comes_first() -> None:
    state = state_with(
        tied(2, "dbo.B|TABLE", "ForeignKey"),
        tied(3, "csharp:Web.Pay|METHOD", "WritesTo"),
        edges=[edge(2, "dbo.B|TABLE", "ForeignKey"), edge(3, "csharp:Web.Pay|METHOD", "WritesTo")],
        question="which code writes dbo.A",
    )

    text = extractive_answer(state)

    assert text.index("**Between code and database**") < text.index("**Database**")
