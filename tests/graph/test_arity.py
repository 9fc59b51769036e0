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
