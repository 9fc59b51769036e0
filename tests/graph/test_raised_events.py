"""Who raises an event reaches the methods that are subscribed to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

RULE = "event handler"
CHILD = """
    class Child {
        public event EventHandler Saved; public Action Done;
        void Save() { %s }
        void Quiet() { Done = null; Saved = null; }
    }
"""
PARENT = """
    class Parent {
        Child child; Child other;
        void Wire() { %s }
        void Note(object sender, EventArgs e) {}
        void Tell() {}
    }
"""


@pytest.mark.parametrize(
    "raising",
    [
        "Saved(this, null);",
        "Saved?.Invoke(this, null);",
        "if (Saved != null) { this.Saved(this, null); }",
        "var raised = Saved; raised(this, null);",
        "Events.Fire(Saved, this);",
        "Saved.Raise(this);",
    ],
)
@pytest.mark.parametrize(
    "adding",
    [
        "child.Saved += Note;",
        "this.child.Saved += new System.EventHandler(this.Note);",
        "other.Saved += (EventHandler)Note;",
        "other.Saved\n += Note;",
    ],
)
def test_who_raises_an_event_calls_its_handlers(code_edges: CodeEdges, raising: str, adding: str) -> None:
    texts = {"Shop/C.cs": CHILD % raising, "Shop/P.cs": PARENT % adding}

    assert code_edges("Handles", texts) == {("Child.Saved", "Parent.Note", RULE)}
    assert {edge for edge in code_edges("Calls", texts) if edge[2] == RULE} == {
        ("Child.Save", "Parent.Note", RULE)
    }


@pytest.mark.parametrize(
    "adding",
    [
        "child.Done = Tell;",
        "child.Saved += (sender, e) => Log(); Run(Tell);",
        "child.Saved += delegate { Tell(); };",
        "child.Saved +=\n null;\n Run(Tell);",
        "button.Click += Note;",
    ],
)
def test_what_is_no_method_at_an_event_of_the_system_handles_none(code_edges: CodeEdges, adding: str) -> None:
    texts = {"Shop/C.cs": CHILD % "Saved(this, null);", "Shop/P.cs": PARENT % adding}

    assert code_edges("Handles", texts) == set()


@pytest.mark.parametrize(
    "asking",
    [
        "if (Saved != null) { Quiet(); }",
        "other.Saved = Saved;",
        "foreach (var one in Saved.GetInvocationList()) { Remove(one); }",
    ],
)
def test_who_only_asks_for_an_event_does_not_raise_it(code_edges: CodeEdges, asking: str) -> None:
    texts = {"Shop/C.cs": CHILD % asking, "Shop/P.cs": PARENT % "child.Saved += Note;"}

    assert {edge for edge in code_edges("Calls", texts) if edge[2] == RULE} == set()


def test_an_event_that_is_kept_first_is_raised_where_a_method_is_called_so(code_edges: CodeEdges) -> None:
    keeping = "EventHandler kept = Saved; if (kept != null) { kept(this, null); }"
    child = (CHILD % keeping).replace("Save()", "OnSaved()")

    assert {
        edge for edge in code_edges("Calls", child + PARENT % "child.Saved += Note;") if edge[2] == RULE
    } == {("Child.OnSaved", "Parent.Note", RULE)}


def test_only_the_type_of_an_event_raises_it(code_edges: CodeEdges) -> None:
    texts = PARENT % "child.Saved += Note; Show(child.Saved);" + CHILD % ""

    assert {edge for edge in code_edges("Calls", texts) if edge[2] == RULE} == set()


def test_an_event_of_a_base_is_raised_by_one_of_several(facts_of: FactsOf) -> None:
    text = CHILD % "Saved(this, null);" + PARENT % "child.Saved += Note;" + "class Grown : Child {} "

    graph = code_graph(Catalog(facts_of({"Shop/A.cs": text})))

    assert {edge.confidence for edge in graph.edges if edge.rule == RULE and edge.relation == "Calls"} == {
        0.5
    }


@pytest.mark.parametrize(
    ("others", "confidence"), [("", 0.8), ("class Other : IView { event EventHandler Saved; }", 0.5)]
)
def test_an_event_of_an_interface_is_raised_by_what_implements_it(
    facts_of: FactsOf, others: str, confidence: float
) -> None:
    text = """
        interface IView { event EventHandler Saved; }
        class View : IView { public event EventHandler Saved; void Save() { Saved(this, null); } }
        class Presenter {
            Presenter(IView view) { view.Saved += Note; }
            void Note(object sender, EventArgs e) {}
        }
    """

    graph = code_graph(Catalog(facts_of({"Shop/A.cs": text, "Shop/B.cs": others})))

    found = [edge for edge in graph.edges if edge.rule == RULE and edge.relation == "Calls"]
    assert [(edge.from_key, edge.to_key, edge.confidence) for edge in found] == [
        ("csharp:View.Save|METHOD", "csharp:Presenter.Note|METHOD", confidence)
    ]


def test_tests_handle_no_events_of_others(code_edges: CodeEdges) -> None:
    test = """
        class ChildTests {
            [Fact] void Saves(Child child) { child.Saved += Note; }
            void Note(object sender, EventArgs e) {}
        }
    """

    edges = code_edges("Calls", {"Shop/C.cs": CHILD % "Saved(this, null);", "Shop.Tests/ChildTests.cs": test})

    assert {edge for edge in edges if edge[2] == RULE} == set()


def test_what_very_much_handles_is_left_to_the_event(code_edges: CodeEdges) -> None:
    wired = "".join(f"child.Saved += Note{number}; " for number in range(30))
    methods = "".join(f"void Note{number}(object a, EventArgs b) {{}} " for number in range(30))
    parent = PARENT.replace("void Tell() {}", methods) % wired

    edges = code_edges("Calls", {"Shop/C.cs": CHILD % "Saved(this, null);", "Shop/P.cs": parent})

    assert {edge for edge in edges if edge[2] == RULE} == set()
