"""What stands in the database for a method or type of an assembly leads to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

CODE = """
    namespace Shop.Database
    {
        public partial class Texts
        {
            public static string Join(string a) { return a; }
            public class Parts { public static void Split(string a) { } }
        }
        public struct Money { }
        public struct Total { }
    }
    """
SQL = """
    CREATE FUNCTION dbo.JoinTexts (@a nvarchar(9)) RETURNS nvarchar(9)
    AS EXTERNAL NAME ShopDatabase.[Shop.Database.Texts].[Join]
    GO
    CREATE PROCEDURE dbo.SplitTexts @a nvarchar(9) AS EXTERNAL NAME ShopDatabase.[Shop.Database.Texts+Parts].Split
    GO
    CREATE TYPE dbo.Money EXTERNAL NAME ShopDatabase.[Shop.Database.Money]
    GO
    CREATE AGGREGATE dbo.Total (@a int) RETURNS int EXTERNAL NAME ShopDatabase.[Shop.Database.Total]
    GO
    CREATE FUNCTION dbo.Lost () RETURNS int EXTERNAL NAME ShopDatabase.[Shop.Database.Texts].Missing
    GO
    """


def test_functions_procedures_aggregates_and_types_lead_to_the_code_of_their_assembly(
    facts_of: FactsOf,
) -> None:
    graph = build_graph(facts_of({"db/clr.sql": SQL, "Clr/Texts.cs": CODE})).graph

    found = {
        (edge.from_key, edge.relation, edge.to_key) for edge in graph.edges if edge.rule == "external name"
    }
    assert found == {
        ("dbo.JoinTexts|FUNC", "Calls", "csharp:Shop.Database.Texts.Join|METHOD"),
        ("dbo.SplitTexts|PROC", "Calls", "csharp:Shop.Database.Texts.Parts.Split|METHOD"),
        ("dbo.Money|TYPE", "Uses", "csharp:Shop.Database.Money|TYPE"),
        ("dbo.Total|FUNC", "Uses", "csharp:Shop.Database.Total|TYPE"),
    }
    assert not any("CLR" in edge.to_key or "ShopDatabase" in edge.to_key for edge in graph.edges)


def test_a_static_method_of_a_type_is_called_and_its_type_used(facts_of: FactsOf) -> None:
    code = CODE.replace(
        "struct Money { }", "struct Money { public static string Symbol(string a) { return a; } }"
    )
    procedures = """
        CREATE PROCEDURE dbo.Show AS SELECT dbo.[Money]::Symbol('EUR'), hierarchyid::GetRoot(), dbo.Money::Missing(1)
        GO
        CREATE PROCEDURE dbo.Other AS SELECT Missing.Money::Symbol('EUR')
        GO
        """
    files = {"db/clr.sql": SQL, "db/show.sql": procedures, "Clr/Texts.cs": code}
    found = {
        (edge.from_key, edge.relation, edge.to_key)
        for edge in build_graph(facts_of(files)).graph.edges
        if edge.rule == "static method"
    }

    assert found == {
        ("dbo.Show|PROC", "Uses", "dbo.Money|TYPE"),
        ("dbo.Show|PROC", "Calls", "csharp:Shop.Database.Money.Symbol|METHOD"),
    }
