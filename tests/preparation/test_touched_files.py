"""Members of C# are declared otherwise: which files name them, in statements or through the values of others."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from ragduck.facts import AccessFact, Call, Expression, Member, Name, New, StatementFacts, Text
from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import (
    CLASSES_IN_WORDS,
    Room,
    declarations_of,
    head_of,
    packed_facts,
    path_of,
    read_facts,
)
from ragduck.preparation.known_facts import digest_of
from ragduck.preparation.known_words import KnownWords, packed_words, unpacked_words
from ragduck.preparation.named_values import Names
from ragduck.preparation.touched_files import Touched, touched_files
from tests.preparation.test_remembered_uses import cache, packed, read
from tests.preparation.test_touched_types import brought_up_to_date, uses

__all__ = ["cache", "read"]  # fixtures

LOG = "Shop/Log.cs"
SHOP = {
    LOG: "namespace Shop;\npublic class Log { public void Write() { } }\n",
    "Shop/Cart.cs": "namespace Shop;\npublic class Cart { Log log; void Run() { log.Save(); log.GetAsync(); } }\n",
    "Shop/Desk.cs": "namespace Shop;\npublic class Desk { Log log; void Sit() { log.Get(); log.SaveAll(); } }\n",
    "Shop/Till.cs": "namespace Shop;\npublic class Till { Log log; public string Ring() { return log.Name; } }\n",
}


def with_member(member: str, path: str = LOG) -> dict[str, str]:
    return {path: SHOP[path].replace("{", "{ " + member, 1)}


def touched(before: Mapping[str, str], after: Mapping[str, str], *others: bytes) -> Touched | None:
    old, new = ([packed(*one) for one in texts.items()] + list(others) for texts in (before, after))
    heads = {path_of(one): head_of(one) for one in old if declarations_of(one) != NO_DECLARATIONS}
    changed = {path for path, text in after.items() if before.get(path) != text}
    facts = {path_of(one): one for one in new}
    words = words_of({path_of(one): one for one in old}, facts)
    found, known = (
        touched_files(
            heads, facts, changed, lambda: {file.path: file for file in read_facts(new, Room())}, each
        )
        for each in (None, words)
    )
    assert found == known
    return found


def words_of(before: Mapping[str, bytes], now: Mapping[str, bytes]) -> KnownWords:
    """Return what is known of words that stood in facts."""
    kept = packed_words(before, {path: digest_of(one) for path, one in before.items()}, key=b"key")
    known = unpacked_words(kept, {path: digest_of(one) for path, one in now.items()}, key=b"key")
    assert known is not None
    return known


@pytest.mark.parametrize(
    ("member", "naming", "edge"),
    [
        ("public void Get() { }", "Shop/Desk.cs", "Desk.Sit Log.Get"),
        ("public void Save() { }", "Shop/Cart.cs", "Cart.Run Log.Save"),
        ("public string Name { get; set; }", "Shop/Till.cs", "Till.Ring Log.Name"),
    ],
)
def test_a_name_is_no_part_of_another(
    cache: Path, read: list[str], member: str, naming: str, edge: str
) -> None:
    found, again = brought_up_to_date(cache, read, SHOP, SHOP | with_member(member))

    assert again == sorted((LOG, naming))
    assert edge in uses(found)


@pytest.mark.parametrize("name", sorted(CLASSES_IN_WORDS))
def test_what_stands_in_all_packed_facts_is_no_name(name: str) -> None:
    text = 'class Cart {{ void Run() {{ log.Save(new Box(), x => x.One, $"a {{log.Two}}"); log.{}(); }} }}\n'

    naming, other = (packed("Shop/Cart.cs", text.format(one)) for one in (name, "Other"))

    facts = {"naming": naming, "other": other}
    for words in (None, words_of(facts, facts)):
        assert Names({name}).standing_in(facts, words) == {"naming"}
        assert Names({name, "Other"}).standing_in(facts, words) == {"naming", "other"}


@pytest.mark.parametrize("name", ["Name", "Text", "Call"])
def test_a_text_that_is_the_name_of_a_class_of_facts_is_packed_by_itself(name: str) -> None:
    read_by_parser = Member(
        Name("log"), next(one for one in (Name, Text, Call) if one.__name__ == name).__name__
    )
    access = AccessFact("csharp:Cart.Run|METHOD", read_by_parser, 1)
    file = next(read_facts([packed("Shop/Cart.cs", "class Cart { }\n")], Room()))

    found = packed_facts(file._replace(statements=StatementFacts(accesses=(access,))))

    for words in (None, words_of({"some": found}, {"some": found})):
        assert Names({name}).standing_in({"some": found}, words) == {"some"}


CONSTANTS = SHOP | {
    "Shop/Tables.cs": 'namespace Shop;\npublic class Tables { public const string Orders = "Orders"; }\n',
    "Shop/Named.cs": "namespace Shop;\npublic class Named { public static string Whole => Tables.Orders; }\n",
    "Shop/Query.cs": """namespace Shop;
public class Query { public void Run() { connection.Execute("delete from " + Named.Whole); } }
""",
    "Shop/Bag.cs": "namespace Shop;\npublic class Bag { public int Orders; }\n",
    "Shop/Orders.sql": "create table Orders (Id int);\ngo\ncreate table Carts (Id int);\n",
}
OTHER = CONSTANTS | {"Shop/Tables.cs": CONSTANTS["Shop/Tables.cs"].replace('"Orders"', '"Carts"')}


def test_a_string_is_read_again_that_is_made_of_a_constant_made_of_one(cache: Path, read: list[str]) -> None:
    found, again = brought_up_to_date(cache, read, CONSTANTS, OTHER)

    assert again == ["Shop/Named.cs", "Shop/Tables.cs"]
    assert any("Query.Run" in one["from_key"] and "Carts" in one["to_key"] for one in found[1])


def test_values_are_followed_by_the_names_of_what_has_them() -> None:
    found = touched(CONSTANTS, OTHER)

    assert found is not None
    assert "csharp:Shop.Named.Whole|PROPERTY" in {one.key for one in found.valued}
    naming = frozenset(("Shop/Named.cs", "Shop/Tables.cs"))
    assert found._replace(valued=()) == Touched(naming, naming, through_values=frozenset(("Shop/Query.cs",)))


def test_a_member_that_is_only_declared_elsewhere_has_no_part_in_values() -> None:
    texts = SHOP | {"Shop/Book.cs": "namespace Shop;\npublic class Book { public int Get; }\n"}

    found = touched(texts, texts | with_member("public void Get() { }"))

    assert found == Touched(frozenset((LOG, "Shop/Desk.cs")), frozenset((LOG, "Shop/Desk.cs")))


@pytest.mark.parametrize(
    "naming",
    [
        "class Told : Base { Told() : base(Log.Place) { } }",
        "class Told { Told(string place = Log.Place) { } }",
        "class Told(string place) : Base(Log.Place) { }",
        "class Told { [Route(Log.Place)] void Go() { } }",
        "[Route(Log.Place)] class Told { }",
        "class Told { void Go([QueueTrigger(Log.Place)] string given) { } }",
        "class Told { const string Whole = Log.Place; [Route(Whole)] void Go() { } }",
    ],
)
def test_all_strings_may_differ_where_more_than_the_value_of_a_member_names_one(naming: str) -> None:
    texts = SHOP | {"Shop/Told.cs": f"namespace Shop;\n{naming}\n"}

    found = touched(texts, texts | with_member('public const string Place = "a";'))

    assert found is not None
    assert found.through_values is None


def test_all_strings_may_differ_where_a_constructor_does() -> None:
    one = SHOP | with_member("public Log() { }")

    found = touched(one, SHOP | with_member("public Log(int size) { }"))

    assert found is not None
    assert found.through_values is None


def without_types(text: str, values: Mapping[str, Expression]) -> bytes:
    """Pack a file of which some members have a value and no type, as those of other languages do."""
    file = next(read_facts([packed("Shop/Basic.vb", text)], Room()))
    members = [
        one._replace(type="", value=values[one.name]) if one.name in values else one for one in file.members
    ]
    return packed_facts(file._replace(members=tuple(members), statements=file.statements.unpacked()))


def test_members_that_have_the_types_of_their_values_are_followed() -> None:
    untyped = without_types(
        "Public Class Basic\n  Public Held\n  Public Kept\n  Public Apart\nEnd Class\n",
        {
            "Held": Call(Member(New("Log"), "Fetch")),
            "Kept": Member(Name("Held"), "First"),
            "Apart": Member(Name("Desk"), "First"),
        },
    )
    using = "namespace Shop;\nclass Use {{ Basic basic; void Go() {{ basic.{}.Pay(); }} }}\n"
    texts = SHOP | {"Shop/Use.cs": using.format("Kept"), "Shop/Idle.cs": using.format("Apart")}

    found = touched(texts, texts | with_member("public Desk Fetch() => null;"), untyped)

    assert found is not None
    assert found.paths == {LOG, "Shop/Use.cs"}


def test_what_is_called_like_a_type_that_has_another_name_somewhere_is_no_constructor() -> None:
    texts = SHOP | {
        "Shop/Alias.cs": "using Book = Shop.Shelf;\nnamespace Shop;\nclass Alias { Book book; }\n"
    }

    found = touched(texts, texts | with_member("public Desk Shelf { get; set; }"))

    assert found == Touched(frozenset((LOG,)), frozenset((LOG,)))
