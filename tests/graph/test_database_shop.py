"""The database of the sample shop comes out exactly as its facts say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.model import Document, Graph, SourceFile
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import read_document, walk_files

DATA = Path(__file__).resolve().parents[1] / "data"
OBJECTS = {
    "tables": "TABLE",
    "views": "VIEW",
    "procedures": "PROC",
    "functions": "FUNC",
    "triggers": "TRIGGER",
    "types": "TYPE",
    "sequences": "SEQUENCE",
    "synonyms": "SYNONYM",
}


@pytest.fixture(scope="module")
def facts() -> dict[str, Any]:
    return dict(json.loads((DATA / "shop_facts.json").read_text(encoding="utf-8")))


@pytest.fixture(scope="module")
def graph() -> Graph:
    documents = [read_document(file) for file in walk_files(DATA / "shop") if isinstance(file, SourceFile)]
    parsed = [
        parse_document(document, settings=ChunkSettings())
        for document in documents
        if isinstance(document, Document) and document.language == "sql"
    ]
    return database_graph(DatabaseCatalog([one.facts for one in parsed]))


def pairs(graph: Graph, relation: str, kind: str) -> list[list[str]]:
    """Return the ends of edges without their kinds, of those that start at a kind of object."""
    found = {
        (edge.from_key.rpartition("|")[0], edge.to_key.rpartition("|")[0])
        for edge in graph.edges
        if edge.relation == relation and edge.from_key.endswith(f"|{kind}")
    }
    return sorted(map(list, found))


def touched(graph: Graph) -> set[str]:
    """Return the keys that code of the database reads, writes or runs."""
    return {
        edge.to_key
        for edge in graph.edges
        if edge.relation in ("ReadsFrom", "WritesTo", "Executes", "SynonymFor")
    }


@pytest.mark.parametrize("name", OBJECTS)
def test_objects(graph: Graph, facts: dict[str, Any], name: str) -> None:
    found = sorted(node.node_key.rpartition("|")[0] for node in graph.nodes if node.kind == OBJECTS[name])

    assert found == sorted(facts[name])


def test_indexes(graph: Graph, facts: dict[str, Any]) -> None:
    assert sorted(node.name for node in graph.nodes if node.kind == "INDEX") == facts["indexes"]


def test_foreign_keys(graph: Graph, facts: dict[str, Any]) -> None:
    assert pairs(graph, "ForeignKey", "TABLE") == facts["foreign_keys"]


def test_procedure_calls(graph: Graph, facts: dict[str, Any]) -> None:
    local = [pair for pair in pairs(graph, "Executes", "PROC") if pair[1] not in facts["external"]]

    assert local == facts["procedure_calls"]


def test_function_calls(graph: Graph, facts: dict[str, Any]) -> None:
    found = [*pairs(graph, "Calls", "PROC"), *pairs(graph, "Calls", "VIEW"), *pairs(graph, "Calls", "FUNC")]

    assert sorted(found) == sorted(facts["function_calls"])


def test_trigger_tables(graph: Graph, facts: dict[str, Any]) -> None:
    assert pairs(graph, "On", "TRIGGER") == sorted(map(list, facts["trigger_tables"].items()))


def test_synonym_targets(graph: Graph, facts: dict[str, Any]) -> None:
    assert pairs(graph, "SynonymFor", "SYNONYM") == sorted(map(list, facts["synonym_targets"].items()))


def test_external_objects(graph: Graph, facts: dict[str, Any]) -> None:
    known = {node.node_key for node in graph.nodes}
    external = {edge.to_key for edge in graph.edges} - known

    assert sorted(key.rpartition("|")[0] for key in external) == facts["external"]


def test_untouched_tables(graph: Graph, facts: dict[str, Any]) -> None:
    keys = {f"{name}|TABLE" for name in facts["untouched_tables"]}

    assert not keys & touched(graph)


def test_unused_procedures_are_run_by_no_other(graph: Graph, facts: dict[str, Any]) -> None:
    keys = {f"{name}|PROC" for name in facts["unused_procedures"]}

    assert not keys & touched(graph)
