"""Pieces of statements count where they say themselves that they are SQL, and name what something defines."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Rows = list[tuple[str, str, str, int, float]]
EdgesOf = Callable[[str], Rows]

SCRIPT = "CREATE TABLE dbo.Orders (Id int)\nGO\nCREATE TABLE dbo.Items (Id int)"
READS_ITEMS = ("M", "ReadsFrom", "dbo.Items|TABLE", 3, 0.7)


@pytest.fixture
def edges_of(facts_of: FactsOf) -> EdgesOf:
    """Return the edges of the statements of a method, the first of which is on line 3."""

    def edges(statements: str) -> Rows:
        code = f"class A {{\n void M(string text, Own own, StringBuilder builder) {{\n{statements}\n}}\n}}"
        facts = facts_of({"A.cs": code, "t.sql": SCRIPT})
        found = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
        return [
            (edge.from_key.removeprefix("csharp:A.").partition("|")[0], *rest)
            for edge in found
            for rest in [(edge.relation, edge.to_key, edge.line, edge.confidence)]
        ]

    return edges


@pytest.mark.parametrize(
    "statements",
    [
        'conditions.Add("Id IN (SELECT Id FROM Items WHERE Name = @n)");',
        'conditions.Add("and not exists (select 1 from dbo.Items i where i.Id = o.Id)");',
        'Find("Id in ( select Id from Items )");',
        'if (text == "") return "exists (select 1 from Items)";',
        'var where = " and Id in (select Id from Items where Name = \'" + text;',
        'text += " inner join Items i on i.Id = o.ItemId";',
        'builder.AppendLine("LEFT OUTER JOIN dbo.Items AS i ON i.Id = o.ItemId");',
        'own.Append("from Items where Id = @id");',
        'own.Append("from Items i join Missing m on m.Id = i.Id");',
        'Fetch(new Own("select Id ").Append("from Items where Id = 1 order by Id"));',
    ],
)
def test_a_piece_that_is_sql_reads_what_a_script_defines(edges_of: EdgesOf, statements: str) -> None:
    assert edges_of(statements) == [READS_ITEMS]


def test_a_piece_is_told_on_its_line(edges_of: EdgesOf) -> None:
    found = edges_of('own.Append(@"\n\nfrom Orders o\nleft join Items i on i.Id = o.ItemId\nwhere 1 = 1");')

    assert {(key, line) for _, _, key, line, _ in found} == {("dbo.Orders|TABLE", 5), ("dbo.Items|TABLE", 6)}


def test_a_piece_that_is_changed_is_told_where_it_is_written(edges_of: EdgesOf) -> None:
    found = edges_of(
        """string where;
        if (text == "")
            where = " Id in (select Id from Items) ";
        else
            where = " Id not in (select Id from Items where Name = $name) ";
        where += "and 1 = 1";
        where = where.Replace("$name", text);
        return new Own(own.ToString() + where);"""
    )

    assert {(key, line) for _, _, key, line, _ in found if line < 10} == {
        ("dbo.Items|TABLE", 5),
        ("dbo.Items|TABLE", 7),
    }


def test_a_piece_of_a_statement_that_is_known_adds_nothing(edges_of: EdgesOf) -> None:
    found = edges_of(
        """var where = " where Id in (select Id from Items)";
        db.Query("select Id from Orders" + where);"""
    )

    assert sorted((key, confidence) for _, _, key, _, confidence in found) == [
        ("dbo.Items|TABLE", 1.0),
        ("dbo.Orders|TABLE", 1.0),
    ]


@pytest.mark.parametrize(
    "statements",
    [
        'conditions.Add("Id in (select Id from Missing)");',
        'text += " inner join Missing m on m.Id = o.Id";',
        'conditions.Add("Id in (1, 2) from Items");',
        'Show("Pick one in (select from the list of items)");',
        'Show("Please join items on page = 2 of the list");',
        'Show("from items where you live to items you order");',
        'Show("From Items");',
        'session.CreateQuery("from Items where Id = :id");',
        'log.Error("Id in (select Id from Items) is wrong");',
    ],
)
def test_other_pieces_read_nothing(edges_of: EdgesOf, statements: str) -> None:
    assert edges_of(statements) == []


def test_a_piece_in_a_constant_belongs_to_the_statement_that_it_becomes_part_of(facts_of: FactsOf) -> None:
    code = 'class A { const string C = "Id in (select Id from Items)"; }'
    facts = facts_of({"A.cs": code, "t.sql": SCRIPT})

    assert inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges == ()
