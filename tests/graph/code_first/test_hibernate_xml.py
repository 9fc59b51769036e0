"""Mappings of NHibernate in XML name tables that no class here stands for: of values, of classes made elsewhere."""

from __future__ import annotations

import pytest

from ragduck.model import Edge
from tests.graph.code_first.conftest import GraphOf

TABLES = "CREATE TABLE dbo.Order_ (Id INT); CREATE TABLE dbo.Clerk_ (Id INT);"
ENTITIES = """
    namespace Shop;
    public class Order { public IList<Note> Notes { get; set; } public IDictionary Extras { get; set; } }
    public class Note { public Clerk By { get; set; } }
    public class Clerk { }
"""
ORDER = '<class name="Order" table="Order_">{}</class>'
CLERK = '<class name="Clerk" table="Clerk_"/>'
NOTES = """<idbag name="Notes" table="Note_"><key column="OrderId"/>
    <composite-element class="Note"><many-to-one name="By" column="ById"/></composite-element></idbag>"""
EXTRAS = """<map name="Extras" table="[Extra_]"><key><column name="OrderId"/></key>
    <index column="Name" type="String"/><element type="String" column="Value"/></map>"""
STATE = """<class name="Shop.State, Shop.Generated" table="State_" schema="sales">
    <many-to-one name="Clerk" class="Clerk"/></class>"""


def found(graph_of: GraphOf, mapped: str, *, head: str = "") -> list[tuple[str, str, str, str]]:
    """Relation, both ends and the column of what a mapping says beyond the classes that are here."""
    xml = f'{head}<hibernate-mapping namespace="Shop">{mapped}</hibernate-mapping>'
    graph = graph_of({"db.sql": TABLES, "Shop/Entities.cs": ENTITIES, "Shop/Order.hbm.xml": xml})
    return sorted(map(_told, graph.edges))


def _told(edge: Edge) -> tuple[str, str, str, str]:
    ends = (key.removeprefix("csharp:Shop.").removeprefix("dbo.") for key in (edge.from_key, edge.to_key))
    return edge.relation, *(key.partition("|")[0] for key in ends), edge.detail  # type: ignore[return-value]


CLASSES = [("MapsTo", "Clerk", "Clerk_", ""), ("MapsTo", "Order", "Order_", "")]


def test_values_of_a_collection_have_a_table_with_keys(graph_of: GraphOf) -> None:
    assert found(graph_of, ORDER.format(NOTES) + CLERK) == [
        ("ForeignKey", "Note_", "Clerk_", "ById"),
        ("ForeignKey", "Note_", "Order_", "OrderId"),
        *CLASSES[:1],
        ("MapsTo", "Note", "Note_", ""),
        *CLASSES[1:],
    ]


def test_texts_of_a_collection_have_a_table(graph_of: GraphOf) -> None:
    assert found(graph_of, ORDER.format(EXTRAS) + CLERK) == [
        ("ForeignKey", "Extra_", "Order_", "OrderId"),
        *CLASSES,
        ("MapsTo", "Order.Extras", "Extra_", ""),
    ]


def test_values_in_the_table_of_their_owner_have_none(graph_of: GraphOf) -> None:
    notes = NOTES.replace(' table="Note_"', "")

    assert found(graph_of, ORDER.format(notes) + CLERK) == CLASSES


def test_a_class_that_is_not_here_keeps_its_table_and_its_keys(graph_of: GraphOf) -> None:
    reference = '<many-to-one name="State" class="State" column="State_"/>'

    assert found(graph_of, ORDER.format(reference) + CLERK + STATE) == [
        ("ForeignKey", "Order_", "sales.State_", "State_"),
        ("ForeignKey", "sales.State_", "Clerk_", "Clerk"),
        *CLASSES,
        ("MapsTo", "State", "sales.State_", ""),
    ]


def test_pairs_with_a_class_that_is_not_here_have_keys_to_both(graph_of: GraphOf) -> None:
    pairs = '<set name="States" table="OrderState_"><many-to-many class="State"/></set>'

    keys = [each[1:] for each in found(graph_of, ORDER.format(pairs) + STATE) if each[0] == "ForeignKey"]
    assert keys == [("OrderState_", "Order_", ""), ("OrderState_", "sales.State_", "")]


@pytest.mark.parametrize(
    "mapped", ['<class name="$safename$" table="T"/>', '<class name="$ns$.$name$" table="T"/>']
)
def test_a_template_names_no_class(graph_of: GraphOf, mapped: str) -> None:
    assert found(graph_of, mapped) == []


def test_a_mapping_of_java_is_left_alone(graph_of: GraphOf) -> None:
    head = '<!DOCTYPE hibernate-mapping PUBLIC "-//Hibernate/Hibernate Mapping DTD 3.0//EN">'

    assert found(graph_of, '<class name="com.shop.Order" table="T"/>', head=head) == []
