"""The graph of the sample shop is what its authors wrote down: nothing missing, nothing invented."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ragduck
from ragduck import Store

FACTS: dict[str, Any] = json.loads(
    (Path(__file__).parent / "data" / "shop_facts.json").read_text(encoding="utf-8")
)
KINDS = {
    "tables": "TABLE", "views": "VIEW", "procedures": "PROC", "functions": "FUNC", "triggers": "TRIGGER",
    "sequences": "SEQUENCE", "synonyms": "SYNONYM",
}  # fmt: skip

Pairs = Callable[[str], set[tuple[str, str]]]


@pytest.fixture(scope="module")
def store(shop_store: Path) -> Iterator[Store]:
    with ragduck.open(shop_store) as opened:
        yield opened


@pytest.fixture(scope="module")
def pairs(store: Store) -> Pairs:
    def select(condition: str) -> set[tuple[str, str]]:
        rows = store.sql(f"select from_key, to_key from edges where {condition}")
        return {(row["from_key"], row["to_key"]) for row in rows}

    return select


def keyed(pairs: list[list[str]], kinds: tuple[str, str]) -> set[tuple[str, str]]:
    return {(f"{one}|{kinds[0]}", f"{other}|{kinds[1]}") for one, other in pairs}


@pytest.mark.parametrize(("group", "kind"), KINDS.items())
def test_every_database_object_is_a_node(store: Store, group: str, kind: str) -> None:
    rows = store.sql(
        "select node_key from nodes where kind = $kind and source_file like 'database/%'",
        {"kind": kind},
    )

    assert {row["node_key"] for row in rows} == {f"{name}|{kind}" for name in FACTS[group]}


def test_foreign_keys_of_the_scripts(pairs: Pairs) -> None:
    found = pairs("relation = 'ForeignKey' and source_file like 'database/%'")

    assert found == keyed(FACTS["foreign_keys"], ("TABLE", "TABLE"))


def test_procedures_execute_procedures(pairs: Pairs) -> None:
    found = pairs("relation = 'Executes' and from_key like '%|PROC' and to_key not like 'msdb.%'")

    assert found == keyed(FACTS["procedure_calls"], ("PROC", "PROC"))


def test_functions_are_called(pairs: Pairs) -> None:
    found = {
        (source.partition("|")[0], target.partition("|")[0])
        for source, target in pairs("relation = 'Calls' and to_key like '%|FUNC'")
    }

    assert {tuple(pair) for pair in FACTS["function_calls"]} <= found


def test_triggers_are_on_their_tables(pairs: Pairs) -> None:
    found = pairs("relation = 'On' and from_key like '%|TRIGGER'")

    assert found == keyed([list(pair) for pair in FACTS["trigger_tables"].items()], ("TRIGGER", "TABLE"))


def test_synonyms_stand_for_their_targets(pairs: Pairs) -> None:
    found = pairs("relation = 'SynonymFor'")

    assert found == keyed([list(pair) for pair in FACTS["synonym_targets"].items()], ("SYNONYM", "TABLE"))


def test_code_executes_procedures(pairs: Pairs) -> None:
    found = pairs("relation = 'Executes' and from_key like 'csharp:%' and source_file like 'src/%'")
    named = {
        (source.removeprefix("csharp:").partition("|")[0], target.partition("|")[0])
        for source, target in found
    }

    assert named == {tuple(pair) for pair in FACTS["csharp_procedure_calls"]}


def test_interpolated_names_are_resolved(store: Store) -> None:
    rows = store.sql(
        "select distinct to_key from edges where rule = 'interpolated name' and relation = 'Executes'"
    )

    assert {row["to_key"] for row in rows} == {f"{name}|PROC" for name in FACTS["interpolated_procedures"]}


def test_entities_map_to_tables(pairs: Pairs) -> None:
    found = {
        (source.removeprefix("csharp:").partition("|")[0], target.partition("|")[0])
        for source, target in pairs("relation = 'MapsTo' and from_key like '%|TYPE'")
    }

    assert found == set(FACTS["entity_tables"].items())


def test_history_of_a_table_that_came_and_went(store: Store) -> None:
    rows = store.sql(
        "select version, operation from table_history where table_key = 'sales.DiscountCode|TABLE' "
        "and operation like '% table' order by version"
    )

    assert [row["operation"] for row in rows] == ["create table", "drop table"]
    assert store.sql("from nodes where node_key = 'sales.DiscountCode|TABLE' and not is_external") == []


def test_dangling_references_are_told(store: Store) -> None:
    rows = store.sql("select distinct node_key from dangling_references")
    kinds = {"procedure": "PROC", "table": "TABLE"}

    assert {row["node_key"] for row in rows} == {
        f"{entry['reference']}|{kinds[entry['kind']]}" for entry in FACTS["dangling"]
    }


def test_uncalled_procedures_are_told(store: Store) -> None:
    rows = store.sql("select distinct node_key from uncalled_procedures")

    assert {row["node_key"] for row in rows} == {f"{name}|PROC" for name in FACTS["unused_procedures"]}


def test_controllers_have_their_role(store: Store) -> None:
    rows = store.sql(
        "select node_key from nodes where role = 'CONTROLLER' and source_file like '%/Controllers/%'"
    )

    assert {row["node_key"] for row in rows} == {f"csharp:{name}|TYPE" for name in FACTS["controllers"]}


def test_texts_that_are_no_sql_give_no_edges(store: Store) -> None:
    rows = store.sql("select snippet from edges where relation in ('ReadsFrom', 'WritesTo', 'Executes')")

    for text in FACTS["not_sql"]:
        assert not [row for row in rows if text in row["snippet"]]


def test_every_edge_has_its_evidence(store: Store) -> None:
    rows = store.sql(
        "select edges.*, source_documents.text from edges "
        "left join source_documents on source_documents.file_path = edges.source_file"
    )

    for row in rows:
        assert row["text"] is not None
        assert row["snippet"] == row["text"].split("\n")[row["line"] - 1].strip()[:300]
        assert row["rule"]
        assert 0 < row["confidence"] <= 1


def test_every_chunk_knows_its_node(store: Store) -> None:
    rows = store.sql("select id from documents anti join nodes using (node_key, repo, branch)")

    assert rows == []


def test_every_defined_node_has_its_text(store: Store) -> None:
    for row in store.sql("select node_key from nodes where not is_external"):
        assert store.text_of(row["node_key"])[0]["text"]


def test_the_text_of_a_type_is_the_whole_type(store: Store) -> None:
    (service,) = store.text_of("OrderService")
    parts = store.text_of("csharp:Shop.Core.Entities.Invoice|TYPE")

    assert service["text"].startswith("public sealed class OrderService")
    assert service["text"].endswith("}")
    assert "Task<PlacedOrder> PlaceAsync(" in service["text"]
    assert {part["source_file"].rpartition("/")[2] for part in parts} == {"Invoice.cs", "Invoice.Totals.cs"}


def test_no_part_of_the_graph_failed(shop_store: Path) -> None:
    report = ragduck.prepare(
        Path(__file__).parent / "data" / "shop",
        shop_store.with_name("again.duckdb"),
        repo="shop",
        branch="main",
        embed_model=None,
    )

    assert [problem for source in report.sources for problem in source.problems] == []
