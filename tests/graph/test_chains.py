"""Chains of calls, taken apart."""

from __future__ import annotations

from ragduck.facts import UNKNOWN, Argument, Awaited, Call, Choice, Element, Lambda, Member, Name, Text, Typed
from ragduck.graph.types.chains import (
    MAX_LINKS,
    argument,
    function_name,
    inward,
    lambda_members,
    named,
    receiver_of,
    take_apart,
)

DB = Typed("Db", "db")
QUERY = Call(Member(Call(Member(Member(DB, "Orders"), "Where")), "First"), (Argument(Text("x"), "name"),))


def test_a_chain_has_its_links_from_the_root_on():
    chain = take_apart(QUERY)

    assert chain.root == DB
    assert [(link.name, link.call is not None) for link in chain.links] == [
        ("Orders", False),
        ("Where", True),
        ("First", True),
    ]


def test_the_root_of_a_bare_call_has_no_name():
    chain = take_apart(Call(Member(Call(Name("ToTable")), "HasKey")))

    assert chain.root == Name("")
    assert [link.name for link in chain.links] == ["ToTable", "HasKey"]


def test_arguments_are_found_by_name_and_by_position():
    call = Call(Name("F"), (Argument(Text("a")), Argument(Text("b"), "schema")))

    assert argument(call, 0, name="name") == Text("a")
    assert argument(call, 5, name="schema") == Text("b")
    assert argument(call, 1, name="table") is UNKNOWN
    assert named(call.arguments, "schema") == Text("b")


def test_the_first_members_of_a_lambda_are_what_it_selects():
    call = Call(Name("F"), (Argument(Lambda((("A",), ("B", "C")))),))

    assert lambda_members(call) == ("A", "B")
    assert lambda_members(QUERY) == ()


def test_inward_goes_through_tasks_elements_and_choices():
    value = Member(Awaited(Element(Choice((QUERY, UNKNOWN)))), "Total")

    assert list(inward(value))[-1] == DB


def test_a_call_of_something_unnamed_has_no_name_and_no_receiver():
    call = Call(UNKNOWN)

    assert (function_name(call), receiver_of(call)) == ("", None)


def test_a_chain_without_end_is_cut():
    expression = DB
    for _ in range(5 * MAX_LINKS):
        expression = Member(expression, "A")

    assert len(take_apart(expression).links) == MAX_LINKS
    assert len(list(inward(expression))) == MAX_LINKS
