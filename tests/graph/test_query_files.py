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


FOLDERS = {
    f"Shop/{folder}/Sql/{name}.sql": QUERY for folder in ("Open", "Closed") for name in ("List", "Count")
}
CONSTANTS = """
    static class Scripts
    {
        static string Folder => $"{nameof(Open)}/Sql";
        const string Other = "Closed/Sql";
        public static string List => $"{Folder}/{nameof(List)}.sql";
        public static string Count => Other + "/" + nameof(Count) + ".sql";
        public static string Read(string name) => File.ReadAllText($"Closed/Sql/{name}.sql");
        public static string ReadAny(string path) => File.ReadAllText($"{path}.sql");
    }
"""


def used(facts_of: FactsOf, statement: str) -> set[tuple[str, str, float]]:
    """Who names which script, how surely."""
    code = f"namespace Shop; {CONSTANTS} class C {{ string root; void Run() {{ {statement} }} }}"
    facts = facts_of({**FOLDERS, "Shop/C.cs": code})
    edges = [
        one
        for one in inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
        if one.rule == "sql file"
    ]
    return {
        (edge.from_key.removeprefix("csharp:Shop."), edge.to_key.removeprefix("file:Shop/"), edge.confidence)
        for edge in edges
    }


NAMED = {
    ("Scripts.List|PROPERTY", "Open/Sql/List.sql|FILE", 0.9),
    ("Scripts.Count|PROPERTY", "Closed/Sql/Count.sql|FILE", 0.9),
}


@pytest.mark.parametrize(
    ("statement", "script", "confidence"),
    [
        ('File.ReadAllText(Path.Combine("Closed", "Sql", "List.sql"));', "Closed/Sql/List.sql", 0.9),
        ('File.ReadAllText(Path.Combine(root, Scripts.Folder, "Count.sql"));', "Open/Sql/Count.sql", 0.9),
        (
            'File.ReadAllText(Path.Combine(Scripts.Folder, $"{nameof(Count)}.sql"));',
            "Open/Sql/Count.sql",
            0.9,
        ),
        ('Scripts.Read("List");', "Closed/Sql/List.sql", 0.7),
        ('Scripts.ReadAny(name: "Open/Sql/List");', "", 0),
        ('Scripts.ReadAny(path: "Open/Sql/List");', "Open/Sql/List.sql", 0.7),
        ("Scripts.Read(root);", "", 0),
        ('File.ReadAllText(Path.Combine(root, "Count.sql"));', "", 0),
    ],
)
def test_a_name_that_is_put_together_is_worked_out(
    facts_of: FactsOf, statement: str, script: str, confidence: float
) -> None:
    expected = {("C.Run|METHOD", f"{script}|FILE", confidence)} if script else set()

    assert used(facts_of, statement) == NAMED | expected


def test_a_constructor_names_the_script_that_it_hands_to_its_base(facts_of: FactsOf) -> None:
    code = """
        namespace Shop;
        class GetOrders : ScriptMigration
        {
            public GetOrders() : base("Shop.Queries.GetOrders.sql", name: "orders") { }
        }
    """
    facts = facts_of({**FILES, "Shop/C.cs": code})

    edges = [
        one
        for one in inline_sql_graph(Catalog(facts), DatabaseCatalog(facts)).edges
        if one.rule == "sql file"
    ]

    assert [(one.from_key, one.to_key, one.line) for one in edges] == [
        ("csharp:Shop.GetOrders.GetOrders|METHOD", "file:Shop/Queries/GetOrders.sql|FILE", 4)
    ]
