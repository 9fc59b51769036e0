"""Callers name the tables of statements whose tables are parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
Found = list[tuple[str, str, str, int, float]]
FoundIn = Callable[[str], Found]

HELPERS = """
class Lookup
{
    private SqlConnection c;
    private string schema;
    private void Convert(string table) { var k = c.CreateCommand(); k.CommandText = $"SELECT Id FROM {table}"; }
    public void Clear(string table, int id = 1) { c.Execute("DELETE FROM [" + table + "] WHERE Id = " + id); }
    public void Empty(string table) => c.Execute($"DELETE FROM {schema}.{table}");
    public void Mark(string value) => c.Execute($"UPDATE dbo.Marks SET Text = '{value}' WHERE Id = {value}");
    public void Copy(string from) => c.Execute($"INSERT INTO dbo.Archive SELECT * FROM {from}");
    public void Default(string table = "Orders") => c.Execute($"DELETE FROM {table} WHERE Id = 1");
"""


@pytest.fixture
def found_in(facts_of: FactsOf) -> FoundIn:
    def found(code: str) -> Found:
        facts = facts_of({"A.cs": code, "tables.sql": "CREATE TABLE sales.Parcels (id int)"})
        graph = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts))
        return [(e.from_key, e.relation, e.to_key, e.line, e.confidence) for e in graph.edges]

    return found


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ('Convert("Orders");', [("ReadsFrom", "dbo.Orders", 0.9)]),
        ('Clear("Lines");', [("WritesTo", "dbo.Lines", 0.9)]),
        ('Clear(id: 2, table: "Lines");', [("WritesTo", "dbo.Lines", 0.9)]),
        ('this.Clear("sales].[Lines", 2);', [("WritesTo", "sales.Lines", 0.9)]),
        ('var t = "Lines"; Clear(t);', [("WritesTo", "dbo.Lines", 0.9)]),
        ("Clear(nameof(Lines));", [("WritesTo", "dbo.Lines", 0.9)]),
        (
            'foreach (var t in new[] { "Tags", "Series" }) { Clear(t); }',
            [("WritesTo", "dbo.Series", 0.9), ("WritesTo", "dbo.Tags", 0.9)],
        ),
        ("Default();", [("WritesTo", "dbo.Orders", 0.9)]),
        ('Copy("Lines");', [("ReadsFrom", "dbo.Lines", 0.9)]),
        ("Clear(Unseen.Name);", []),
        ('Mark("Lines");', []),
    ],
)
def test_a_caller_names_the_table_that_it_gives(
    found_in: FoundIn, statement: str, found: list[tuple[str, str, float]]
) -> None:
    edges = found_in(f"{HELPERS} public void Run() {{ {statement} }} }}")

    ours = [
        (relation, to_key.partition("|")[0], confidence)
        for from_key, relation, to_key, line, confidence in edges
        if from_key == "csharp:Lookup.Run|METHOD" and line == len(HELPERS.splitlines())
    ]
    assert sorted(ours) == found


def test_a_table_behind_an_unknown_schema_is_less_sure(found_in: FoundIn) -> None:
    edges = found_in(f'{HELPERS} void Run() => Empty("Parcels"); }}')

    assert [edge[1:] for edge in edges if edge[0] == "csharp:Lookup.Run|METHOD"] == [
        ("WritesTo", "sales.Parcels|TABLE", len(HELPERS.splitlines()), 0.7)
    ]


def test_a_name_is_followed_through_interfaces_and_helpers(found_in: FoundIn) -> None:
    code = """
        interface IStore { void Remove(string name); }
        class Store : IStore
        {
            private SqlConnection c;
            public void Remove(string table) => Delete(2, "Shop" + table);
            private void Delete(int id, string table) => c.Execute($"DELETE FROM dbo.{table} WHERE Id = {id}");
        }
        class Job
        {
            private IStore store;
            void Run() { store.Remove("Lines"); }
        }
    """

    assert [edge[:4] for edge in found_in(code)] == [
        ("csharp:Job.Run|METHOD", "WritesTo", "dbo.ShopLines|TABLE", 11)
    ]


def test_a_text_that_is_no_statement_names_no_table(found_in: FoundIn) -> None:
    code = """
        class Log
        {
            void Tell(string place) { Write($"Select an item from {place} to go on."); }
            void Run() { Tell("Lines"); }
        }
    """

    assert found_in(code) == []


def test_a_text_that_looks_like_a_mark_is_a_name(found_in: FoundIn) -> None:
    code = 'public void Odd(string t) => c.Execute($"DELETE FROM {t} WHERE Id IN (SELECT Id FROM ǂ99ǂ)"); '

    found = found_in(f'{HELPERS}    {code}\n    public void Run() {{ Odd("Orders"); }}\n}}\n')

    assert ("csharp:Lookup.Run|METHOD", "WritesTo", "dbo.Orders|TABLE") in [edge[:3] for edge in found]
