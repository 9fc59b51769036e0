"""HQL names classes where SQL names tables: what NHibernate maps leads to the table of the mapping."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
MAPPED = """
    <hibernate-mapping namespace="Shop.Domain">
      <class name="Ticket" table="Ticket_" schema="sales"/>
      <class name="Clerk" table="Clerk_"/>
      <class name="State" table="State_"/>
      <class name="Other.State" table="Other_"/>
    </hibernate-mapping>
"""
CODE = """
    namespace Shop.Domain;
    public class Ticket {{ }}
    public class Orders {{ void Run() {{ List(new HqlQuery("{}")); }} }}
"""


def read(facts_of: FactsOf, statement: str, *, tables: str = "") -> set[str]:
    """What a query reads."""
    files = {"Shop/Maps.hbm.xml": MAPPED, "Shop/Orders.cs": CODE.format(statement), "db/tables.sql": tables}
    facts = facts_of(files)
    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
    return {edge.to_key for edge in edges if edge.relation == "ReadsFrom"}


@pytest.mark.parametrize(
    ("statement", "table"),
    [
        ("select count(*) from Ticket t", "sales.Ticket_|TABLE"),
        ("select count(elements(c.Users)) from Clerk c", "dbo.Clerk_|TABLE"),
        ("select t.Id from Shop.Domain.Ticket t where t.Id = 1", "sales.Ticket_|TABLE"),
    ],
)
def test_a_class_in_a_query_is_its_table(facts_of: FactsOf, statement: str, table: str) -> None:
    assert read(facts_of, statement) == {table}


def test_a_table_of_the_name_of_a_class_is_itself(facts_of: FactsOf) -> None:
    found = read(facts_of, "select Id from Clerk", tables="create table dbo.Clerk (Id int)")

    assert found == {"dbo.Clerk|TABLE"}


def test_a_name_that_two_classes_have_is_that_of_a_table(facts_of: FactsOf) -> None:
    assert read(facts_of, "select count(*) from State s") == {"dbo.State|TABLE"}
