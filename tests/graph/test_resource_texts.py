"""Statements that stand in resource files are those of the members that read them."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

RESOURCES = """
    <?xml version="1.0" encoding="utf-8"?>
    <root>
      <!-- <data name="Old"><value>SELECT * FROM dbo.Old WHERE Id = 1</value></data> -->
      <data name="Late.Orders" xml:space="preserve">
        <value>SELECT Id
    FROM dbo.Orders
    WHERE Due &lt; @now</value>
        <comment>SELECT * FROM dbo.Comments WHERE Id = 1</comment>
      </data>
      <data name="Purge" xml:space="preserve"><value>DELETE FROM dbo.Orders WHERE Id IN ({0})</value></data>
      <data name="Title" xml:space="preserve"><value>Select an order from the list</value></data>
    </root>
"""
DESIGNER = """
    namespace Shop
    {
        internal class Queries
        {
            private static ResourceManager resourceMan;
            private static CultureInfo resourceCulture;
            internal static ResourceManager ResourceManager { get { return resourceMan; } }
            internal static string Late_Orders {
                get { return ResourceManager.GetString("Late.Orders", resourceCulture); }
            }
            internal static string Purge {
                get { return ResourceManager.GetString("Purge", resourceCulture); }
            }
            internal static string Title {
                get { return ResourceManager.GetString("Title", resourceCulture); }
            }
        }
    }
"""


def found(
    facts_of: FactsOf, statements: str, files: Mapping[str, str] = {}
) -> set[tuple[str, str, str, str]]:
    """What a method and the resources read and write."""
    code = f"namespace Shop; class C {{ void Run(string ids) {{ {statements} }} }}"
    own = {"Shop/Queries.resx": RESOURCES, "Shop/Queries.Designer.cs": DESIGNER, "Shop/C.cs": code}
    facts = facts_of({**own, **files})
    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
    return {(edge.from_key, edge.relation, edge.to_key, edge.source_file) for edge in edges}


RUN, FILE = "csharp:Shop.C.Run|METHOD", "Shop/C.cs"
READS = (RUN, "ReadsFrom", "dbo.Orders|TABLE", FILE)
DELETES = (RUN, "WritesTo", "dbo.Orders|TABLE", FILE)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("connection.Query<int>(Queries.Late_Orders, new { now });", READS),
        ("var command = new SqlCommand(Queries.Late_Orders, connection);", READS),
        ("command.CommandText = Queries.Late_Orders;", READS),
        ("var sql = Queries.Late_Orders; connection.Query<int>(sql);", READS),
        ('connection.Query<int>(Queries.Late_Orders + " ORDER BY Id");', READS),
        ("connection.Execute(string.Format(Queries.Purge, ids));", DELETES),
    ],
)
def test_a_statement_of_a_resource_is_its_readers(
    facts_of: FactsOf, statements: str, expected: tuple[str, str, str, str]
) -> None:
    assert expected in found(facts_of, statements)


def test_a_statement_nobody_reads_is_that_of_its_property(facts_of: FactsOf) -> None:
    tables = {(one[0], one[1]) for one in found(facts_of, "Show(Queries.Title);")}

    assert tables == {
        ("csharp:Shop.Queries.Late_Orders|PROPERTY", "ReadsFrom"),
        ("csharp:Shop.Queries.Purge|PROPERTY", "WritesTo"),
    }


def test_the_statement_of_another_resource_file_is_not_taken(facts_of: FactsOf) -> None:
    other = {"Shop/Texts.Designer.cs": DESIGNER.replace("class Queries", "class Texts")}

    assert not [one for one in found(facts_of, "Show(Texts.Purge);", other) if one[0] == RUN]
