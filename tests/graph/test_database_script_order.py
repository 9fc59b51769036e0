"""In which order migration scripts are applied, and which of them define nothing."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.model import Graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

FIRST, SECOND = (f"db/DbScripts/2024-0{month}-01_00_x.sql" for month in (1, 2))
TABLES = "CREATE TABLE dbo.A (id int)\nGO\nCREATE TABLE dbo.B (id int)\nGO\n"


def graph_of(facts_of: FactsOf, files: Mapping[str, str]) -> Graph:
    return database_graph(DatabaseCatalog(facts_of(files)))


def reads(graph: Graph, source: str) -> set[str]:
    return {edge.to_key for edge in graph.edges if edge.from_key == source and edge.relation == "ReadsFrom"}


def procedure(table: str) -> str:
    return f"CREATE OR ALTER PROCEDURE dbo.P AS SELECT 1 FROM {table}\nGO\n"


@pytest.mark.parametrize(
    "names",
    [
        ("V1__a", "V1_1__b", "V1_2__c", "V1_10__d", "V2__e"),
        ("V1__a", "V1.1__b", "V1.10__d", "V1.10.1__c"),
        ("sprint9/2019-01-01-a", "SPRINT10/2019-01-02-b", "Sprint11/2019-01-03-c"),
    ],
    ids=["underscores", "dots", "case"],
)
def test_a_version_comes_before_its_parts(facts_of: FactsOf, names: tuple[str, ...]) -> None:
    files = {f"db/{name}.sql": procedure("dbo.A") for name in names}

    assert [node.source_file for node in graph_of(facts_of, files).nodes] == [f"db/{names[-1]}.sql"]


def test_repeatable_scripts_count_before_versions(facts_of: FactsOf) -> None:
    files = {"db/migration/R__P.sql": procedure("dbo.B"), "db/migration/V9__P.sql": procedure("dbo.A")}

    assert [node.source_file for node in graph_of(facts_of, files).nodes] == ["db/migration/R__P.sql"]


def test_triggers_of_postgresql_have_namesakes_on_other_tables(facts_of: FactsOf) -> None:
    dropped = "DROP TRIGGER IF EXISTS t ON {0};\n"
    trigger = f"{dropped}CREATE TRIGGER t AFTER INSERT ON {{0}} FOR EACH ROW EXECUTE FUNCTION f();\n"
    tables = "CREATE TABLE a (id serial);\nCREATE TABLE b (id serial);\n"

    graph = graph_of(facts_of, {FIRST: tables, SECOND: "".join(trigger.format(table) for table in "ab")})

    assert {edge.to_key for edge in graph.edges if edge.relation == "On"} == {
        "public.a|TABLE",
        "public.b|TABLE",
    }


@pytest.mark.parametrize(
    ("statement", "left"),
    [
        ("DROP TRIGGER t ON a;", {"b"}),
        ("DROP TRIGGER IF EXISTS t ON public.b CASCADE;", {"a"}),
        ("DROP TRIGGER t ON a; DROP TRIGGER t ON b;", set()),
        ("DROP TRIGGER t ON a; CREATE TRIGGER t BEFORE DELETE ON a EXECUTE FUNCTION f();", {"a", "b"}),
        ("DROP TRIGGER other ON a;", {"a", "b"}),
    ],
)
def test_a_trigger_of_postgresql_is_dropped_from_its_table(
    facts_of: FactsOf, statement: str, left: set[str]
) -> None:
    tables = "CREATE TABLE a (id serial);\nCREATE TABLE b (id serial);\n"
    triggers = [
        f"CREATE TRIGGER t AFTER INSERT ON {one} FOR EACH ROW EXECUTE FUNCTION f();\n" for one in "ab"
    ]

    graph = graph_of(facts_of, {FIRST: tables + "".join(triggers), SECOND: statement})

    assert {edge.to_key for edge in graph.edges if edge.relation == "On"} == {
        f"public.{one}|TABLE" for one in left
    }


@pytest.mark.parametrize(
    ("dropping", "left"), [("Main", "Log"), ("Log", "Main"), ("Main/v2", "Log"), ("New", "")]
)
def test_scripts_drop_what_those_of_their_own_folder_made(
    facts_of: FactsOf, dropping: str, left: str
) -> None:
    made = {
        f"db/migrations/{folder}/1.sql": "CREATE TABLE dbo.A (id int)\nGO\n" for folder in ("Main", "Log")
    }

    graph = graph_of(facts_of, {**made, f"db/migrations/{dropping}/2.sql": "DROP TABLE dbo.A\nGO\n"})

    assert [node.source_file for node in graph.nodes] == ([f"db/migrations/{left}/1.sql"] if left else [])


@pytest.mark.parametrize(
    ("done", "undoing", "left"),
    [
        ("2_b.sql", "2_b_down.sql", "B"),
        ("2_b_up.sql", "2_b_DOWN.sql", "B"),
        ("2_b.up.sql", "2_b.down.sql", "B"),
        ("2_b.sql", "2_b-rollback.sql", "B"),
        ("2_b.sql", "3_down.sql", "A"),
        ("2_b.sql", "2_c_down.sql", "A"),
    ],
)
def test_scripts_that_undo_others_beside_them_define_nothing(
    facts_of: FactsOf, done: str, undoing: str, left: str
) -> None:
    files = {"1_a.sql": procedure("dbo.A"), done: procedure("dbo.B"), undoing: procedure("dbo.A")}

    graph = graph_of(facts_of, {f"db/migrations/{name}": text + TABLES for name, text in files.items()})

    assert reads(graph, "dbo.P|PROC") == {f"dbo.{left}|TABLE"}
