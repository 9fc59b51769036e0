"""Code that names a script leads to its file, which tells what it reads and writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]
QUERY = "select Id from dbo.Orders"
FILES = {
    "Shop/Queries/GetOrders.sql": QUERY,
    "Shop/Other/Twice.sql": QUERY,
    "Web/Other/Twice.sql": QUERY,
    "Shop/Old/Same.sql": QUERY,
    "Shop/New/Same.sql": QUERY,
    "Shop/2024-01-02 add.sql": QUERY,
}


def named(facts_of: FactsOf, statement: str) -> set[tuple[str, float]]:
    """The scripts that a method of the project Shop names."""
    code = f"namespace Shop; class C {{ string end; void Run(string root) {{ {statement} }} }}"
    facts = facts_of({**FILES, "Shop/C.cs": code})
    edges = inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
    return {
        (edge.to_key.removeprefix("file:").removesuffix("|FILE"), edge.confidence)
        for edge in edges
        if edge.rule == "sql file" and (edge.from_key, edge.relation) == ("csharp:Shop.C.Run|METHOD", "Uses")
    }


@pytest.mark.parametrize(
    ("statement", "script", "confidence"),
    [
        ('File.ReadAllText("Queries/GetOrders.sql");', "Shop/Queries/GetOrders.sql", 0.9),
        (r'File.ReadAllText(@"..\Queries\GETORDERS.SQL");', "Shop/Queries/GetOrders.sql", 0.9),
        ('Read("Company.Shop.Queries.GetOrders.sql");', "Shop/Queries/GetOrders.sql", 0.9),
        ('Path.Combine(root, "GetOrders.sql");', "Shop/Queries/GetOrders.sql", 0.9),
        ('Read($"{root}/Queries/GetOrders.sql");', "Shop/Queries/GetOrders.sql", 0.7),
        ('var name = "Twice.sql"; Read(name);', "Shop/Other/Twice.sql", 0.9),
        ('Read("Shop.2024_01_02_add.sql");', "Shop/2024-01-02 add.sql", 0.9),
    ],
)
def test_a_script_is_named(facts_of: FactsOf, statement: str, script: str, confidence: float) -> None:
    assert named(facts_of, statement) == {(script, confidence)}


@pytest.mark.parametrize(
    "statement",
    [
        'Read("Same.sql");',
        'Read("Missing.sql");',
        'Read("Reports/GetOrders.sql");',
        'Read(".sql");',
        'Read("*.sql");',
        'Read("GetOrders.sql.bak");',
    ],
)
def test_other_texts_name_none(facts_of: FactsOf, statement: str) -> None:
    assert named(facts_of, statement) == set()
