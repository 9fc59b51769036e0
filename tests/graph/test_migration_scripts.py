"""Scripts that migrations in code run are applied in the order of the migrations."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.build import build_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

TABLES = "CREATE TABLE dbo.A (id int)\nGO\nCREATE TABLE dbo.B (id int)\nGO\n"
RESOURCES = """
    <root>
      <data name="OR_9_Read" type="System.Resources.ResXFileRef">
        <value>Scripts\\OR-9-Read.sql;System.String;utf-8</value>
      </data>
      <data name="OR_5_Read" type="System.Resources.ResXFileRef">
        <value>Scripts\\OR-5-Read.sql;System.String;utf-8</value>
      </data>
    </root>
"""


def procedure(table: str) -> str:
    return f"CREATE OR ALTER PROCEDURE dbo.P AS SELECT id FROM {table}\nGO\n"


def migration(version: int, up: str, down: str = "") -> str:
    return f"""
        using FluentMigrator;
        namespace Shop.Migrations;

        [Migration({version})]
        public class M{version} : Migration
        {{
            public override void Up() {{ {up} }}
            public override void Down() {{ {down} }}
        }}
    """


def reads(facts_of: FactsOf, files: Mapping[str, str]) -> set[str]:
    facts = facts_of({f"Shop/Migrations/{path}": text for path, text in files.items()})
    edges = build_graph(facts).graph.edges
    return {edge.to_key for edge in edges if (edge.from_key, edge.relation) == ("dbo.P|PROC", "ReadsFrom")}


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ('Execute.EmbeddedScript("OR-9-Read.sql");', 'Execute.EmbeddedScript("OR-5-Read.sql");'),
        ('Execute.Script(@"Scripts\\OR-9-Read.sql");', 'Execute.Script(@"Scripts\\OR-5-Read.sql");'),
        ("Execute.Sql(Resources.OR_9_Read);", "Execute.Sql(Resources.OR_5_Read);"),
    ],
    ids=["embedded", "path", "resource"],
)
def test_the_script_of_the_newest_migration_counts(facts_of: FactsOf, first: str, second: str) -> None:
    files = {
        "Scripts/Tables.sql": TABLES,
        "Scripts/OR-9-Read.sql": procedure("dbo.A"),
        "Scripts/OR-5-Read.sql": procedure("dbo.B"),
        "Resources.resx": RESOURCES,
        "M9.cs": migration(9, first),
        "M10.cs": migration(10, second),
    }

    assert reads(facts_of, files) == {"dbo.B|TABLE"}


def test_a_script_that_undoes_a_migration_defines_nothing(facts_of: FactsOf) -> None:
    files = {
        "Scripts/Tables.sql": TABLES,
        "Scripts/A_Up.sql": procedure("dbo.A"),
        "Scripts/B_Down.sql": procedure("dbo.B"),
        "M1.cs": migration(1, 'Execute.EmbeddedScript("A_Up.sql");', 'Execute.EmbeddedScript("B_Down.sql");'),
    }

    assert reads(facts_of, files) == {"dbo.A|TABLE"}


def test_scripts_that_no_migration_runs_come_before_those_beside_them(facts_of: FactsOf) -> None:
    files = {
        "Scripts/Tables.sql": TABLES,
        "Scripts/P.sql": procedure("dbo.A"),
        "Scripts/ZZ.sql": procedure("dbo.B"),
        "M1.cs": migration(1, 'Execute.EmbeddedScript("Tables.sql"); Execute.EmbeddedScript("P.sql");'),
    }

    assert reads(facts_of, files) == {"dbo.A|TABLE"}
