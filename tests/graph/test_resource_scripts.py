"""Scripts that resource files refer to belong to the properties that hold them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.inline_sql.resource_scripts import resource_script_edges
from ragduck.graph.types.catalog import Catalog
from tests.graph.conftest import calls_made

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

DESIGNER = """
    namespace Shop.Properties
    {
        internal class Resources
        {
            internal static string Add_Orders {
                get { return ResourceManager.GetString("Add-Orders", resourceCulture); }
            }
        }
    }
"""
RESOURCES = """
    <root>
      <data name="Add-Orders" type="System.Resources.ResXFileRef, System.Windows.Forms">
        <value>{};System.String, mscorlib, Version=4.0.0.0;utf-8</value>
      </data>
    </root>
"""
PROPERTY = "csharp:Shop.Properties.Resources.Add_Orders|PROPERTY"


USE = """
    namespace Shop;
    class AddOrders
    {
        void Up() { Execute.Sql(Properties.Resources.Add_Orders); }
        void Down() { Execute.Sql(Properties.Texts.Add_Orders); Execute.Sql(Properties.Resources.Other); }
    }
"""


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("..\\Scripts\\add-orders.sql", True),
        ("../Scripts/Add-Orders.sql", True),
        ("Scripts/Add-Orders.sql", False),
        ("..\\Scripts\\Add-Orders.txt", False),
    ],
)
def test_a_property_leads_to_the_script_that_it_holds(facts_of: FactsOf, written: str, found: bool) -> None:
    facts = facts_of(
        {
            "Shop/Properties/Resources.resx": RESOURCES.format(written),
            "Shop/Properties/Resources.Designer.cs": DESIGNER,
            "Shop/Scripts/Add-Orders.sql": "CREATE TABLE dbo.Orders (Id int)",
            "Shop/Scripts/Add-Orders.txt": "",
        }
    )

    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges

    scripts = [(edge.from_key, edge.to_key, edge.source_file, edge.line) for edge in edges]
    expected = (PROPERTY, "file:Shop/Scripts/Add-Orders.sql|FILE", "Shop/Properties/Resources.resx", 2)
    assert scripts == ([expected] if found else [])


def test_who_hands_over_what_a_resource_class_holds_uses_the_script(facts_of: FactsOf) -> None:
    """The class itself is left out here: of large ones no members are known."""
    facts = facts_of(
        {
            "Shop/Properties/Resources.resx": RESOURCES.format("../Scripts/Add-Orders.sql"),
            "Shop/Scripts/Add-Orders.sql": "CREATE TABLE dbo.Orders (Id int)",
            "Shop/AddOrders.cs": USE,
        }
    )

    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges

    assert [(edge.from_key, edge.to_key, edge.line) for edge in edges] == [
        ("csharp:Shop.AddOrders.Up|METHOD", "file:Shop/Scripts/Add-Orders.sql|FILE", 4)
    ]


def test_of_classes_of_one_name_the_nearest_holds_the_script(facts_of: FactsOf) -> None:
    files = {}
    for folder in ("a/Shop", "b/Shop", "b/Stock"):
        files[f"{folder}/Properties/Resources.resx"] = RESOURCES.format("../Add.sql")
        files[f"{folder}/Add.sql"] = "CREATE TABLE dbo.Orders (Id int)"
    catalog = Catalog(facts_of({**files, "b/Stock/AddOrders.cs": USE, "b/Web/AddOrders.cs": USE}))

    found = {edge.source_file: edge.to_key for edge in resource_script_edges(catalog)}

    assert found == {
        "b/Stock/AddOrders.cs": "file:b/Stock/Add.sql|FILE",
        "b/Web/AddOrders.cs": "file:b/Shop/Add.sql|FILE",
    }


def test_many_resource_files_of_one_name_take_a_time_that_grows_with_their_number(facts_of: FactsOf) -> None:
    def steps(count: int) -> int:
        files = {f"P{number}/Add.sql": "CREATE TABLE dbo.Orders (Id int)" for number in range(count)}
        for number in range(count):
            files[f"P{number}/Properties/Resources.resx"] = RESOURCES.format("../Add.sql")
            files[f"P{number}/AddOrders.cs"] = USE
        catalog = Catalog(facts_of(files))
        return calls_made(lambda: list(resource_script_edges(catalog)))

    assert steps(160) < 3 * steps(80)
