"""Hostile and broken C# neither crashes the reading of facts nor makes them large."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragduck.facts import FileFacts, Joined, Member, Name, Text
from ragduck.model import Document, Symbol
from ragduck.parse.csharp import outline

SHOP = Path(__file__).parents[2] / "data" / "shop"
SAMPLES = [path.read_bytes().decode("utf-8", "replace") for path in sorted(SHOP.glob("src/**/*.cs"))]
WORDS = """
    class record enum namespace N; using static this base new () typeof( is not case switch => from x in y join on
    equals into select await async var a int string return out _ with params operator extension( get set where T A ä 𝒳
    """
MARKS = """
    { } ( ) [ ] < > ; , . ? ?? => = += + " \\ ' $" @" \"\"\" {{ }} : ! ++ .. // /* */ #if #endif
    """
TOKENS = (WORDS + MARKS).split()


def facts_of(source: str) -> FileFacts:
    facts = outline(Document("A.cs", source, "csharp", "cs", "source", len(source), 0)).facts

    assert facts is not None
    return facts


def facts_in(body: str) -> FileFacts:
    return facts_of(f"class A {{ void M(string p) {{\n{body}\n}} }}")


def depth_of(value: Any) -> int:
    deepest, pending = 0, [(value, 1)]
    while pending:
        item, depth = pending.pop()
        deepest = max(deepest, depth)
        if isinstance(item, tuple):
            pending.extend((part, depth + 1) for part in item)
    return deepest


HOSTILE = {
    "a long chain of calls": "a" + ".A()" * 10_000 + ";",
    "a long chain of members": "var z = a" + ".A" * 10_000 + ";",
    "a long chain of questions": "var z = a" + "?.A()" * 2_000 + ";",
    "calls of calls": "f" + "(1)" * 5_000 + ";",
    "calls in calls": "F(" * 600 + ")" * 600 + ";",
    "lambdas in lambdas": "F(" + "x => G(" * 500 + "1" + ")" * 500 + ");",
    "blocks in lambdas": "F(" + "x => { x.G(" * 300 + "1" + "); }" * 300 + ");",
    "initializers in initializers": "var x = new A " + "{ B = " * 600 + "{}" + "}" * 600 + ";",
    "objects in initializers": "F(" + "new A { B = " * 300 + "1" + "}" * 300 + ");",
    "a long concatenation": 'Query("select"' + ' + "a" + b' * 5_000 + ");",
    "a long interpolation": 'Query($"select ' + "{a} b " * 5_000 + '");',
    "interpolations in interpolations": "Query(" + '$"select {' * 100 + "a" + '}"' * 100 + ");",
    "strings that double": 'var x = "select a"; ' + "x = x + x; " * 300 + "Query(x);",
    "choices that double": 'var x = "select a"; ' + 'x = c ? x + x : x + "b"; ' * 300 + "Query(x);",
    "locals that double": "var x0 = A(); " + "".join(f"var x{n + 1} = F(x{n}, x{n}); " for n in range(300)),
    "receivers that double": "var x0 = A(); " + "".join(f"var x{n + 1} = x{n}.F(x{n}); " for n in range(300)),
    "locals in a chain": "var n0 = a.B(); " + "".join(f"var n{n + 1} = n{n}.P(); " for n in range(1_000)),
    "many appends": 'var x = "select a"; ' + 'x += "b c d"; ' * 5_000 + "Query(x);",
    "many builder calls": "var b = new StringBuilder(); "
    + 'b.Append("select b"); ' * 3_000
    + "Query(b.ToString());",
    "many assignments": 'var x = "select a"; ' + 'x = "select b"; ' * 5_000 + "Query(x);",
    "many lambdas": "F(" + ", ".join(["x => x.A"] * 3_000) + ");",
    "many arguments": "Query(" + ", ".join(['"select a"'] * 3_000) + ");",
    "many branches": "if (a) b();" + " else if (a) b();" * 2_000,
    "a deep choice": "Query(" + 'a ? "select b" : ' * 600 + '"c");',
    "deep patterns": "if (x is " + "{ A: " * 300 + "1" + "}" * 300 + ") { }",
    "a long query": "var q = from a0 in X "
    + "".join(f"from a{n + 1} in a{n}.Y " for n in range(1_000))
    + "select a1;",
}


@pytest.mark.parametrize("body", HOSTILE.values(), ids=HOSTILE.keys())
def test_facts_stay_small_and_shallow(body: str) -> None:
    facts = facts_in(body)

    assert len(facts.members) == 1
    assert len(pickle.dumps(facts, 5)) < 200_000 + 20 * len(body)
    assert (
        max(depth_of(fact) for fact in (*facts.calls[-3:], *facts.accesses[-3:], *facts.strings[-3:])) < 300
    )


def test_a_chain_that_is_too_long_keeps_its_beginning() -> None:
    facts = facts_in('Create.Table("T")' + '.Column("C").Int()' * 500 + ";")

    links = []
    value: Any = facts.calls[-1].call
    while not isinstance(value, Name):
        links.append(value.function.name)
        value = value.function.receiver
    assert (value, links[-1]) == (Name("Create"), "Table")


def test_a_string_that_is_too_long_ends_with_something_unknown() -> None:
    value = facts_in('Query("select a"' + ' + b + "c"' * 1_000 + ");").strings[0].value

    assert isinstance(value, Joined)
    assert value.parts[:2] == (Text("select a"), Name("b"))
    assert len(value.parts) < 300


def test_a_deep_member_chain_of_patterns_is_cut() -> None:
    accesses = facts_in("if (p is " + "{ A: " * 100 + "{ }" + " }" * 100 + ") { }").accesses

    assert all(isinstance(fact.expression, Member) for fact in accesses)


def check(source: str) -> None:
    """Facts have lines of the file and stand in what the outline declares."""
    outlined = outline(Document("A.cs", source, "csharp", "cs", "source", len(source), 0))
    facts = outlined.facts
    if facts is None:
        return
    keys = {f"csharp:{symbol.qualified_name}|{symbol.kind}" for symbol in symbols_in(outlined.symbols)}
    declared = {fact.key for fact in (*facts.types, *facts.members)}
    assert keys <= declared
    assert {fact.owner for fact in facts.members} <= {"", *(fact.key for fact in facts.types)}
    inside = (*facts.calls, *facts.accesses, *facts.uses, *facts.strings)
    assert {fact.source for fact in inside} <= {"file:A.cs|FILE", *declared}
    assert all(1 <= fact.line <= facts.lines for fact in (*inside, *facts.types, *facts.members))
    spans = (*facts.types, *facts.members, *facts.strings)
    assert all(fact.line <= fact.end_line <= facts.lines for fact in spans)


def symbols_in(symbols: tuple[Symbol, ...]) -> Iterator[Symbol]:
    for symbol in symbols:
        yield symbol
        yield from symbols_in(symbol.children)


@settings(max_examples=80, deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=60))
def test_no_row_of_tokens_is_too_much(tokens: list[str]) -> None:
    check("class A { void M() { " + " ".join(tokens) + " } int x = 1; }")


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(SAMPLES), st.integers(0, 10_000), st.integers(0, 200), st.sampled_from(TOKENS))
def test_no_mutilation_of_a_real_file_is_too_much(sample: str, at: int, length: int, token: str) -> None:
    start = at % len(sample)

    check(sample[:start] + token + sample[start + length :])


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=200))
def test_no_text_is_too_much(text: str) -> None:
    check(text)
