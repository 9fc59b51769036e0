"""What statements name is told by name alone, so that nobody has to look at them to pass a file over."""

from __future__ import annotations

from ragduck.facts import (
    AccessFact,
    Argument,
    Call,
    CallFact,
    Choice,
    Joined,
    Member,
    Name,
    New,
    StatementFacts,
    StringFact,
    Text,
    Typed,
    UseFact,
)

METHOD, PROPERTY = "csharp:Shop.Desk.Place|METHOD", "csharp:Shop.Desk.Total|PROPERTY"


def test_calls_tell_what_they_call_what_on_and_what_they_are_given() -> None:
    place = Call(
        Member(Name("_desk"), "Place"), (Argument(Member(Name("Kind"), "Fast")), Argument(Text("a")))
    )
    named = StatementFacts(
        calls=(CallFact(METHOD, place, 3), CallFact(METHOD, Call(Name("Run")), 4))
    ).mentions()

    assert (named.called, named.read, named.given) == (("Place", "Run"), ("_desk",), ("Fast",))


def test_what_is_called_without_a_name_counts_as_well() -> None:
    made = CallFact(METHOD, Call(New("Desk")), 3)

    assert StatementFacts(calls=(made,)).mentions().called == ("",)


def test_chains_tell_their_names_and_what_they_begin_with() -> None:
    read = AccessFact(METHOD, Member(Member(Name("order"), "Desk"), "Name"), 3)
    asked = CallFact(METHOD, Call(Member(Member(Call(Name("Find")), "Lines"), "Add")), 4)

    named = StatementFacts(calls=(asked,), accesses=(read,)).mentions()

    assert (named.called, named.read) == (("Add",), ("Desk", "Find", "Lines", "Name", "order"))


def test_values_in_the_place_of_chains_tell_their_types() -> None:
    either = Choice((Typed("Order", "order"), Name("_desk")))
    named = StatementFacts(calls=(CallFact(METHOD, Call(Member(either, "Run")), 3),)).mentions()

    assert (named.read, named.typed) == (("_desk",), ("Order",))


def test_types_that_are_made_and_those_that_may_be() -> None:
    new = UseFact(METHOD, "Shop.Desk<Order>?", 3, "new")
    opened, held = UseFact(METHOD, "", 4, "made"), UseFact(METHOD, "IList<Chair>", 4, "holds")

    sure, unsure = (StatementFacts(uses=uses).mentions() for uses in ((new,), (new, opened, held)))

    assert (sure.made, sure.perhaps) == (("Desk",), ())
    assert (unsure.made, unsure.perhaps) == (("", "Desk"), ("Chair", "IList"))


def test_properties_act_that_call_or_read_a_member_of_something_else() -> None:
    calling = CallFact(PROPERTY, Call(Name("Count")), 3)
    own = AccessFact(PROPERTY, Member(Name("this"), "_total"), 3)
    other = AccessFact(PROPERTY, Member(Typed("Order", "order"), "Total"), 3)

    acting = [
        StatementFacts(calls=(calling,)).mentions().acting,
        StatementFacts(accesses=(own,)).mentions().acting,
        StatementFacts(accesses=(other,)).mentions().acting,
    ]

    assert acting == [(PROPERTY,), (), (PROPERTY,)]


def test_texts_tell_their_endings() -> None:
    path = Joined((Name("Folder"), Text("/GetOrders.SQL")))
    either = Choice((Text("a.txt"), Text("b")))
    named = StatementFacts(strings=tuple(StringFact(METHOD, one, 3, 3) for one in (path, either))).mentions()

    assert (named.endings, named.has_strings) == (("sql", "txt"), True)
