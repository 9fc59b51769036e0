"""A generic type and a plain one of the same name have members of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]

TYPES = """
    class Item { public string Title; }
    class Redirect : Item { public string Url() => null; }
    abstract class Base { public Item Current { get; set; } public void Run(int a, int b) { } public int Only; }
    abstract class Base<T> : Base where T : Item { public new T Current { get; set; } public void Run(int a) { } }
"""


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("class A : Base<Redirect> { void Go() { Current.Url(); } }", {"Redirect.Url"}),
        ("class A : Base { void Go() { Current.Url(); } }", set()),
        ("class A { Base<Redirect> a; void Go() { a.Current.Url(); } }", {"Redirect.Url"}),
        ("class A { Base a; void Go() { a.Current.Url(); } }", set()),
        ("class A : Base<Redirect> { void Go() { Run(1); Run(1, 2); } }", {"Base.Run"}),
        (
            "class A : Base<Redirect> { Redirect r; void Go() { Only.ToString(); r.Url(); } }",
            {"Redirect.Url"},
        ),
    ],
)
def test_members_are_those_of_the_type_with_as_many_arguments(
    code: str, expected: set[str], code_edges: CodeEdges
) -> None:
    edges = code_edges("Calls", TYPES + code)

    assert {to for source, to, _ in edges if source == "A.Go"} == expected


CONDITIONS = """
    interface ICondition { void Is(object given); }
    interface ICondition<T> : ICondition { void Is(T given); }
    class Condition<T> : ICondition<T> { public void Is(T given) { } void ICondition.Is(object given) { } }
"""


@pytest.mark.parametrize(
    ("type_", "expected"), [("ICondition<int>", "Condition.Is"), ("ICondition", "Condition.ICondition.Is")]
)
def test_an_explicit_implementation_is_for_the_interface_with_as_many_type_arguments(
    type_: str, expected: str, code_edges: CodeEdges
) -> None:
    edges = code_edges("Calls", f"{CONDITIONS} class A {{ void Go({type_} all) {{ all.Is(1); }} }}")

    assert {to for source, to, _ in edges if source == "A.Go"} == {"ICondition.Is", expected}


def test_a_type_parameter_as_type_argument_counts(code_edges: CodeEdges) -> None:
    plain = "interface ICondition { void Is(object given); } interface ICondition<T> { void Is(T given); }"
    code = """
        class Condition<T> : ICondition<T>, ICondition {
            public void Is(T given) { }
            void ICondition.Is(object given) { }
        }
        class A<T> { void Go(ICondition<T> all, T one) { all.Is(one); } }
    """

    edges = code_edges("Calls", plain + code)

    assert {to for source, to, _ in edges if source == "A.Go"} == {"ICondition.Is", "Condition.Is"}


def test_what_implements_both_namesakes_has_a_member_for_each(code_edges: CodeEdges) -> None:
    edges = code_edges("Implements", CONDITIONS)

    assert edges == {
        ("Condition", "ICondition", "base list"),
        ("Condition.Is", "ICondition.Is", "implements"),
        ("Condition.ICondition.Is", "ICondition.Is", "explicit implementation"),
    }


def test_both_namesakes_may_be_implemented_explicitly(code_edges: CodeEdges) -> None:
    text = """
        interface IStore { void Put(object given); }
        interface IStore<T> { void Put(T given); void Drop(); }
        class Store<T> : IStore<T>, IStore {
            void IStore<T>.Put(T given) { }
            void IStore.Put(object given) { }
            void IStore<T>.Drop() { }
        }
        class A { void Go(IStore<int> all) { all.Drop(); all.Put(1); } }
    """

    edges = code_edges("Calls", text)

    assert {to for source, to, _ in edges if source == "A.Go"} == {
        *("IStore.Drop", "IStore.Put"),
        *("Store.IStore.Drop", "Store.IStore.Put"),
    }
