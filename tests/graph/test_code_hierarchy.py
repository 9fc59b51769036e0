"""Types inherit and implement, methods implement and override."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.code.graph import code_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]


def test_classes_inherit_and_implement(code_edges: CodeEdges) -> None:
    text = "class A : B, I; class B; interface I : J; interface J; class C : Exception;"

    assert code_edges("Inherits", text) == {("A", "B", "base list"), ("I", "J", "base list")}
    assert code_edges("Implements", text) == {("A", "I", "base list")}


def test_methods_implement_those_of_interfaces(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements",
        """
        interface I : J { void Do(); int Count { get; } }
        interface J { void Other(); }
        class A : I {
            public void Do() {}
            public void Do(int x) {}
            public int Count => 1;
            void J.Other() {}
            void Own() {}
        }
        """,
    )

    assert edges == {
        ("A", "I", "base list"),
        ("A.Count", "I.Count", "implements"),
        ("A.Do", "I.Do", "implements"),
        ("A.J.Other", "J.Other", "explicit implementation"),
    }


def test_properties_implement_and_override_as_methods_do(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements",
        """
        interface I { int Count { get; } int Size { get; } string this[int at] { get; } int Own { get; } }
        abstract class Root { public abstract int Size { get; } public virtual int Plain { get; } }
        class Base : Root { public override int Size => 1; public int Own => 1; public new int Plain { get; } }
        class A : Base, I { int I.Count => 1; public string this[int at] => ""; public void Own(int x) {} }
        """,
    )

    assert edges == {
        ("A", "I", "base list"),
        ("A.I.Count", "I.Count", "explicit implementation"),
        ("A.this[]", "I.this[]", "implements"),
        ("Base.Size", "I.Size", "inherited implementation"),
        ("Base.Own", "I.Own", "inherited implementation"),
        ("Base.Size", "Root.Size", "overrides"),
    }


def test_an_inherited_method_implements_too(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements", "interface I { void Do(); } class Base { public void Do() {} } class A : Base, I;"
    )

    assert edges == {("A", "I", "base list"), ("Base.Do", "I.Do", "inherited implementation")}


def test_what_a_base_implements_is_said_once(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements", "interface I { void Do(); } class Base : I { public void Do() {} } class A : Base;"
    )

    assert edges == {("Base", "I", "base list"), ("Base.Do", "I.Do", "implements")}


def test_overrides_lead_to_the_nearest_base(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements",
        """
        class Root { public virtual void Do() {} public virtual void Else() {} }
        class Base : Root { public override void Do() {} }
        class A : Base { public override void Do() {} public new void Else() {} }
        """,
    )

    assert edges == {("Base.Do", "Root.Do", "overrides"), ("A.Do", "Base.Do", "overrides")}


def test_python_methods_override_without_saying_so(code_edges: CodeEdges) -> None:
    text = """
        class Base:
            def run(self): pass
        class A(Base):
            def run(self): pass
            def own(self): pass
    """

    edges = code_edges("Implements", {"shop/a.py": text})

    assert edges == {("shop.a.A.run", "shop.a.Base.run", "overrides")}


def implemented_at(facts_of: FactsOf, text: str) -> dict[str, int]:
    """The line of each method that implements another, by its name."""
    graph = code_graph(Catalog(facts_of({"Shop/A.cs": text})))
    return {
        edge.from_key.partition(":")[2]: edge.line
        for edge in graph.edges
        if edge.relation == "Implements" and edge.from_key.endswith("|METHOD")
    }


@pytest.mark.parametrize("hidden", ["private", "protected", "protected internal", "private protected", ""])
def test_a_hidden_overload_does_not_implement(facts_of: FactsOf, hidden: str) -> None:
    found = implemented_at(
        facts_of,
        f"""
        interface IText {{ string Swap(string text, bool all); }}
        class Text : IText {{
            {hidden} string Swap(string text, int count) => text;
            public string Swap(string text) => text;
            public string Swap(string text, bool all) => text;
        }}
        """,
    )

    assert found == {"Text.Swap|METHOD": 5}


def test_a_public_overload_implements_before_a_hidden_one_with_as_many_parameters(facts_of: FactsOf) -> None:
    found = implemented_at(
        facts_of,
        """
        interface IText { string Swap(string text, bool all = true); }
        class Text : IText {
            protected string Swap(string text, int count) => text;
            public string Swap(string text) => text;
        }
        """,
    )

    assert found == {"Text.Swap|METHOD": 4}


def test_a_hidden_method_alone_implements_nothing(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements", "interface IText { void Swap(); } class Text : IText { protected void Swap(int n) {} }"
    )

    assert edges == {("Text", "IText", "base list")}


def test_an_explicit_implementation_comes_before_a_public_method(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements",
        """
        interface IText { void Swap(); }
        class Text : IText { void IText.Swap() {} public void Swap() {} }
        """,
    )

    assert edges == {
        ("Text", "IText", "base list"),
        ("Text.IText.Swap", "IText.Swap", "explicit implementation"),
    }


def test_a_protected_method_answers_to_a_protected_abstract_one(facts_of: FactsOf) -> None:
    found = implemented_at(
        facts_of,
        """
        abstract class Text { protected abstract void Swap(); }
        class Plain : Text { protected override void Swap() {} }
        """,
    )

    assert found == {"Plain.Swap|METHOD": 2}


def test_an_interface_of_go_may_ask_for_methods_that_are_not_exported(code_edges: CodeEdges) -> None:
    text = """
        package shop
        type store interface { save(id int) }
        type disk struct {}
        func (d disk) save(id int) {}
    """

    edges = code_edges("Implements", {"shop/a.go": text})

    assert edges == {
        ("shop.disk", "shop.store", "method set"),
        ("shop.disk.save", "shop.store.save", "implements"),
    }


def test_a_plain_interface_is_not_its_generic_namesake(code_edges: CodeEdges) -> None:
    edges = code_edges(
        "Implements",
        """
        interface IPlain { }
        interface IPlain<T> : IPlain { void Do(T given); }
        interface IFull : IFull<int> { void Undo(); }
        interface IFull<T> { void Do(T given); }
        class A : IPlain { public void Do(int given) {} }
        class B : IPlain<int> { public void Do(int given) {} }
        class C : IFull { public void Do(int given) {} public void Undo() {} }
        class D : IFull<int> { public void Do(int given) {} public void Undo() {} }
        """,
    )

    assert {edge for edge in edges if edge[2] != "base list"} == {
        ("B.Do", "IPlain.Do", "implements"),
        ("C.Do", "IFull.Do", "implements"),
        ("C.Undo", "IFull.Undo", "implements"),
        ("D.Do", "IFull.Do", "implements"),
    }
