"""Queries in the shapes that sqlrooms-rag and its user interface send run on a store unchanged, in any client."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from ragduck.embed.hashing import HashingEmbedder

KEYS = {
    "version", "created_at", "embedding_provider", "embedding_model", "embedding_dimensions", "chunking_strategy",
    "chunk_size", "include_headers", "header_weight", "total_source_documents", "unique_files",
    "source_total_characters", "total_chunks", "min_chunk_size", "max_chunk_size", "median_chunk_size",
    "mean_chunk_size", "chunks_total_characters", "hybrid_search_enabled", "fts_enabled", "source_documents_stored",
}  # fmt: skip


@pytest.fixture(scope="module")
def store(shop_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the shop that other clients open with settings of their own."""
    return Path(shutil.copy(shop_store, tmp_path_factory.mktemp("copied") / "shop.duckdb"))


@pytest.fixture
def client(store: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Any client, without extensions of ours."""
    with duckdb.connect(str(store), read_only=True) as connection:
        yield connection


def vector_of(question: str) -> list[float]:
    return HashingEmbedder().embed_query(question).tolist()


def test_chunks_are_ranked_by_array_cosine_similarity(client: duckdb.DuckDBPyConnection) -> None:
    rows = client.execute(
        "select node_id, text, metadata_, array_cosine_similarity(embedding, ?::float[64]) as similarity "
        "from documents order by similarity desc nulls last limit 5",
        [vector_of("where are invoices created")],
    ).fetchall()

    assert len(rows) == 5
    assert rows[0][3] >= rows[4][3] > 0


def test_chunks_of_an_attached_store_are_ranked(store: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{store}' as docs (read_only)")
        rows = connection.execute(
            "select node_id, text, array_cosine_similarity(embedding, $vector::float[64]) as similarity "
            "from docs.documents where embedding is not null order by similarity desc limit $k",
            {"vector": vector_of("invoice"), "k": 3},
        ).fetchall()

    assert len(rows) == 3


def test_metadata_has_the_path_of_the_file(client: duckdb.DuckDBPyConnection) -> None:
    rows = client.execute(
        "select json_extract_string(metadata_, '$.file_path'), source_file from documents limit 20"
    ).fetchall()

    assert all(told == path for told, path in rows)


def test_the_metadata_table_has_all_keys(client: duckdb.DuckDBPyConnection) -> None:
    rows = client.execute("select key, value from embedding_metadata").fetchall()

    assert {key for key, _ in rows} >= KEYS
    assert dict(rows)["embedding_dimensions"] == "64"


def test_the_metadata_table_is_found_by_its_name(client: duckdb.DuckDBPyConnection) -> None:
    rows = client.execute(
        "select table_name from information_schema.tables "
        "where table_name in ('documents', 'source_documents', 'embedding_metadata')"
    ).fetchall()

    assert len(rows) == 3


def test_the_model_can_be_validated(client: duckdb.DuckDBPyConnection) -> None:
    rows = client.execute(
        "select key, value from embedding_metadata "
        "where key in ('embedding_provider', 'embedding_model', 'embedding_dimensions', 'chunking_strategy')"
    ).fetchall()

    assert dict(rows)["embedding_model"] == "hashing"
    assert len(rows) == 4


def test_chunks_lead_to_their_source_documents(client: duckdb.DuckDBPyConnection) -> None:
    ids = [
        row[0] for row in client.execute("select node_id from documents order by chunk_no limit 4").fetchall()
    ]
    marks = ", ".join("?" * len(ids))
    rows = client.execute(
        "select distinct s.doc_id, s.file_path, s.file_name, s.text, s.metadata_ from source_documents s "
        f"join documents d on d.doc_id = s.doc_id where d.node_id in ({marks})",
        ids,
    ).fetchall()

    assert rows
    assert all(name == path.rpartition("/")[2] for _, path, name, _, _ in rows)


def test_types_of_the_columns_are_those_of_sqlrooms(client: duckdb.DuckDBPyConnection) -> None:
    types = dict(
        client.execute(
            "select column_name, data_type from duckdb_columns() where table_name = 'documents' "
            "and column_name in ('node_id', 'text', 'metadata_', 'embedding', 'doc_id')"
        ).fetchall()
    )

    assert types == {
        "node_id": "VARCHAR", "text": "VARCHAR", "metadata_": "JSON", "embedding": "FLOAT[64]", "doc_id": "VARCHAR",
    }  # fmt: skip


def test_chunks_are_ranked_by_match_bm25_without_the_extension(client: duckdb.DuckDBPyConnection) -> None:
    asked = "where are invoices created"
    rows = client.execute(
        "select node_id, text, metadata_, fts_main_documents.match_bm25(node_id, ?) as score "
        "from documents where score is not null order by score desc limit ?",
        [asked, 5],
    ).fetchall()

    own = client.execute("select node_id, score from bm25($asked, top_k := 5)", {"asked": asked}).fetchall()
    assert [(row[0], row[3]) for row in rows] == own


def test_match_bm25_takes_the_parameters_of_the_extension(client: duckdb.DuckDBPyConnection) -> None:
    rows = client.execute(
        "select fts_main_documents.match_bm25("
        "    node_id, 'invoice', fields := 'text', k := 1.5, b := 0.5, conjunctive := 1"
        ") as score from documents where score is not null"
    ).fetchall()

    assert rows
