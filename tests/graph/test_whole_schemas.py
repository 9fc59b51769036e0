"""A migration script that makes the whole schema anew ends what it leaves out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from time import process_time

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog, database_graph

FactsOf = Callable[[Mapping[str, str]], list[FileFacts]]

TABLES = tuple("ABCDE")


def script(tables: Iterable[str], *, procedures: Iterable[str] = ()) -> str:
    made = [f"CREATE TABLE dbo.{name} (id int)\nGO\n" for name in tables]
    made += [f"CREATE PROCEDURE dbo.{name} AS SELECT 1 FROM dbo.A\nGO\n" for name in procedures]
    return "".join(made)


def defined_in(
    facts_of: FactsOf, scripts: Mapping[str, str], *, folder: str = "db/Migrations"
) -> dict[str, str]:
    """Return the files that define the objects, by the names of both."""
    graph = database_graph(
        DatabaseCatalog(facts_of({f"{folder}/{name}": text for name, text in scripts.items()}))
    )
    return {
        node.name: node.source_file.removeprefix(f"{folder}/")
        for node in graph.nodes
        if node.source_file and node.kind != "FILE"
    }


def test_what_a_script_of_the_whole_schema_leaves_out_is_gone(facts_of: FactsOf) -> None:
    scripts = {
        "1.sql": script([*TABLES, "Old"], procedures=["Read", "Read_2"]),
        "2.diff.sql": script([], procedures=["Read_3"]),
        "2.sql": script([*TABLES, "New"], procedures=["Read_3", "Find"]),
        "3.diff.sql": script([], procedures=["Count"]),
    }

    found = defined_in(facts_of, scripts)

    made = dict.fromkeys([*TABLES, "New", "Read_3", "Find"], "2.sql")
    assert found == {**made, "Count": "3.diff.sql"}


def test_a_script_that_makes_few_of_the_tables_again_ends_nothing(facts_of: FactsOf) -> None:
    scripts = {
        "1.sql": script([*TABLES, *"FGH"], procedures=["Read"]),
        "2.sql": script(TABLES, procedures=["Find"]),
    }

    found = defined_in(facts_of, scripts)

    assert found.keys() == {*TABLES, *"FGH", "Read", "Find"}


def test_a_handful_of_tables_is_no_whole_schema(facts_of: FactsOf) -> None:
    scripts = {"1.sql": script("AB", procedures=["Read"]), "2.sql": script("AB", procedures=["Find"])}

    assert defined_in(facts_of, scripts).keys() == {"A", "B", "Read", "Find"}


def test_a_script_of_tables_leaves_procedures_to_others(facts_of: FactsOf) -> None:
    scripts = {
        "1.sql": script(TABLES, procedures=["Read", "Count", "Find", "Sum"]),
        "2.sql": script(TABLES, procedures=["X"]),
    }

    assert defined_in(facts_of, scripts).keys() == {*TABLES, "Read", "Count", "Find", "Sum", "X"}


def test_scripts_of_another_folder_are_another_schema(facts_of: FactsOf) -> None:
    scripts = {
        "one/1.sql": script(TABLES, procedures=["Read"]),
        "two/2.sql": script(TABLES, procedures=["Find"]),
    }

    assert defined_in(facts_of, scripts).keys() == {*TABLES, "Read", "Find"}


def test_source_files_make_room_only(facts_of: FactsOf) -> None:
    scripts = {"1.sql": script(TABLES, procedures=["Read"]), "2.sql": script(TABLES, procedures=["Find"])}

    assert defined_in(facts_of, scripts, folder="db/Parts").keys() == {*TABLES, "Read", "Find"}


def test_many_scripts_of_a_whole_schema_are_told_in_a_moment(facts_of: FactsOf) -> None:
    many = {f"{number}.sql": script(TABLES, procedures=[f"P{number}"]) for number in range(3_000)}
    files = facts_of({f"db/Migrations/{name}": text for name, text in many.items()})
    started = process_time()

    catalog = DatabaseCatalog(files)

    assert process_time() - started < 2
    assert len(database_graph(catalog).nodes) > len(TABLES)
