"""Types inherit and implement, methods implement and override."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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
        ("A.Do", "I.Do", "implements"),
        ("A.J.Other", "J.Other", "explicit implementation"),
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
