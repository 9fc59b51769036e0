"""The strings of the sample shop lead where its authors wrote down, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ragduck.facts import FileFacts
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Chunk, Edge, SkippedFile
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import read_document, walk_files
from ragduck.sqlreader.recognition import Certainty, recognize

DATA = Path(__file__).resolve().parents[1] / "data"
FACTS: dict[str, Any] = json.loads((DATA / "shop_facts.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def shop() -> tuple[list[FileFacts], list[Chunk]]:
    facts: list[FileFacts] = []
    chunks: list[Chunk] = []
    for file in walk_files(DATA / "shop"):
        document = file if isinstance(file, SkippedFile) else read_document(file)
        if not isinstance(document, SkippedFile):
            parsed = parse_document(document, settings=ChunkSettings())
            facts.append(parsed.facts)
            chunks += [chunk for chunk in parsed.chunks if chunk.file_type == "inline_sql"]
    return facts, chunks


@pytest.fixture(scope="module")
def database(shop: tuple[list[FileFacts], list[Chunk]]) -> DatabaseCatalog:
    return DatabaseCatalog(shop[0])


@pytest.fixture(scope="module")
def edges(shop: tuple[list[FileFacts], list[Chunk]], database: DatabaseCatalog) -> tuple[Edge, ...]:
    return inline_sql_graph(Catalog(shop[0]), database).edges


def name_of(key: str) -> str:
    return key.partition(":")[2].rpartition("|")[0] if ":" in key else key.rpartition("|")[0]


def test_csharp_calls_these_procedures_and_no_others(edges: tuple[Edge, ...]) -> None:
    found = {
        (name_of(edge.from_key), name_of(edge.to_key))
        for edge in edges
        if edge.relation == "Executes" and edge.from_key.startswith("csharp:")
    }

    assert found == {(caller, procedure) for caller, procedure in FACTS["csharp_procedure_calls"]}


def test_these_procedures_are_called_by_interpolated_names(edges: tuple[Edge, ...]) -> None:
    found = {
        name_of(edge.to_key)
        for edge in edges
        if edge.rule == "interpolated name" and edge.relation == "Executes"
    }

    assert found == set(FACTS["interpolated_procedures"])


def test_these_references_dangle(edges: tuple[Edge, ...], database: DatabaseCatalog) -> None:
    found = {
        (name_of(edge.to_key), name_of(edge.from_key), edge.source_file)
        for edge in edges
        if database.key_of(edge.to_key) is None
    }

    assert found == {(row["reference"], row["from"], row["file"]) for row in FACTS["dangling"]}


def test_edges_lead_to_views_synonyms_and_functions_as_such(edges: tuple[Edge, ...]) -> None:
    kinds = {edge.to_key for edge in edges} & {
        "dbo.vInvoiceBalance|VIEW",
        "dbo.Order Details|VIEW",
        "dbo.InvoiceArchive|SYNONYM",
        "dbo.fn_OpenItems|FUNC",
    }

    assert len(kinds) == 4


def test_python_code_reads_its_tables(edges: tuple[Edge, ...]) -> None:
    found = {(edge.from_key, edge.to_key) for edge in edges if edge.from_key.startswith("python:")}

    assert found == {
        ("python:tools.export_invoices.read_invoices|METHOD", "dbo.Invoice|TABLE"),
        ("python:tools.export_invoices.read_invoices|METHOD", "dbo.Customer|TABLE"),
    }


@pytest.mark.parametrize("text", FACTS["not_sql"])
def test_messages_are_no_sql(text: str) -> None:
    assert recognize(text) is Certainty.NONE


def test_every_statement_is_a_chunk_and_no_message_is(
    shop: tuple[list[FileFacts], list[Chunk]], edges: tuple[Edge, ...]
) -> None:
    chunks = shop[1]
    statements = {edge.from_key for edge in edges if edge.rule == "inline sql"}

    assert statements <= {chunk.node_key for chunk in chunks}
    assert not any(text in chunk.text for text in FACTS["not_sql"] for chunk in chunks)
