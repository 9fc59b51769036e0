"""Reads through an interface reach the property that runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

CodeEdges = Callable[[str, str | Mapping[str, str]], set[tuple[str, str, str]]]


PROPERTIES = """
    interface IWork { Customer Current { get; set; } }
    class Customer { public string Name; } class Db { public Customer Load() => null; public Customer One; }
"""
LOADING = "class Work : IWork { Db db; public Customer Current { get { return db.Load(); } set { } } }"
READING = "class Caller { IWork work; void Run() { var name = work.Current.Name; } }"
ONLY = {("Work.Current", "only implementation")}


@pytest.mark.parametrize(
    ("reader", "implementation", "expected"),
    [
        (READING, LOADING, ONLY),
        (READING, "class Work : IWork { Db db; public Customer Current => db.One; }", ONLY),
        ("class Caller { IWork work; void Run() { work.Current = null; } }", LOADING, ONLY),
        ("class Caller { IWork work; void Run() { work.Current.ToString(); } }", LOADING, ONLY),
        (
            READING,
            LOADING.replace("public Customer Current", "Customer IWork.Current"),
            {("Work.IWork.Current", "only implementation")},
        ),
        (READING, "class Work : IWork { public Customer Current { get; set; } }", set()),
        (READING, "class Work : IWork { Customer one; public Customer Current => this.one; }", set()),
        (
            "abstract class Caller { protected abstract Customer Current { get; } void Run() { Use(Current); } }",
            "class Work : Caller { Db db; protected override Customer Current => db.Load(); }",
            ONLY,
        ),
        (
            READING,
            LOADING + "class Other : IWork { Db db; public Customer Current => db.Load(); }"
            "class Startup { void Go(IServices s) { s.AddScoped<IWork, Work>(); } }",
            {("Work.Current", "registration")},
        ),
    ],
)
def test_reads_through_an_interface_reach_properties_that_do_something(
    code_edges: CodeEdges, reader: str, implementation: str, expected: set[tuple[str, str]]
) -> None:
    edges = code_edges("Uses", PROPERTIES + implementation + reader)

    assert {
        (to, rule) for one, to, rule in edges if one == "Caller.Run" and to.startswith("Work.")
    } == expected


def test_a_test_that_mocks_reads_the_property_of_the_interface_only(code_edges: CodeEdges) -> None:
    files = {
        "Shop/Work.cs": PROPERTIES + LOADING,
        "Shop.Tests/WorkTests.cs": "using Moq; class WorkTests { IWork work; void Run() { Use(work.Current); } }",
    }

    edges = code_edges("Uses", files)

    assert {to for one, to, _ in edges if one == "WorkTests.Run"} == {"WorkTests.work", "IWork.Current"}
