"""Names in code: literals, `nameof`, types and constants."""

from __future__ import annotations

import pytest

from ragduck.facts import UNKNOWN, Call, Joined, Member, Name, NameOf, Text, TypeOf
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.literals import dotted, text_of

CODE = """
    namespace Shop;

    public static class Names
    {
        public const string Schema = "sales";
        public const string Both = Schema + ".Order";
        public const string Loop = Loop;
        public static string Made() => Schema;
    }

    public class Map : Base { private const string Own = nameof(Map); }

    public class Base { protected const string Inherited = "inherited"; }
"""


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (Text("Order"), "Order"),
        (NameOf("Order"), "Order"),
        (Member(TypeOf("Shop.Order"), "Name"), "Order"),
        (Member(Name("Names"), "Schema"), "sales"),
        (Member(Member(Name("Shop"), "Names"), "Schema"), "sales"),
        (Member(Name("Names"), "Both"), "sales.Order"),
        (Name("Own"), "Map"),
        (Member(Name("this"), "Own"), "Map"),
        (Name("Inherited"), "inherited"),
        (Joined((Text("a"), Member(Name("Names"), "Schema"))), "asales"),
        (Call(Member(Text("Order"), "ToString")), "Order"),
        (Joined((Text("a"), UNKNOWN)), None),
        (Member(Name("Names"), "Loop"), None),
        (Member(Name("Names"), "Nothing"), None),
        (Member(Name("Nowhere"), "Schema"), None),
        (Name("Nothing"), None),
        (UNKNOWN, None),
    ],
)
def test_a_name_is_what_the_code_tells(facts_of, expression, text):
    [file] = facts_of({"Shop/Names.cs": CODE})
    catalog = Catalog([file])

    assert text_of(expression, catalog=catalog, file=file, source="csharp:Shop.Map|TYPE") == text


def test_a_chain_of_names_is_written_with_dots():
    assert dotted(Member(Member(Name("A"), "B"), "C")) == "A.B.C"
    assert dotted(Member(Text("A"), "B")) == ""
