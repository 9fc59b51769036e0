"""Write the finished store: documents in their final order, graph, BM25 tables, macros and metadata."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from ragduck.model import EmbeddingModel
from ragduck.store import recall
from ragduck.store.known_words import Attaching, take_words
from ragduck.store.schema import (
    BM25_K1,
    ROW_GROUP_SIZE,
    STORAGE_VERSION,
    VERSIONS,
    create_macros,
    create_tables,
    replace_candidates,
    run_build_step,
)
from ragduck.store.steps import Step, run_steps

# ALP makes the vector scan three times slower and saves nothing; see docs/decisions/file-layout.md.
UNWANTED_COMPRESSION = "alp,alprd"
TERM_KEYS = 2**60  # term_key() is the first 60 bits of a hash

# Slices of what is stored are whole row groups: a row group is not filled up by the next insert.
GRAPH_STEPS = (
    Step("04_graph_keys"),
    Step("04_graph_definitions"),
    Step("04_graph_edge_keys"),
    Step("04_graph_nodes", "numbered_nodes", rows=8 * ROW_GROUP_SIZE),
    Step("04_graph_snippets", "edge_files", rows=8192),
    Step("04_graph_edges", "numbered_nodes", rows=4 * ROW_GROUP_SIZE),
    Step("04_graph"),
    Step("04_graph_degrees"),
    Step("04_graph_names"),
    Step("04_graph_links", "nodes", rows=4 * ROW_GROUP_SIZE),
)
STEPS = (
    *GRAPH_STEPS,
    Step("05_chunk_order"),
    Step("05_source_documents", "numbered_sources", rows=ROW_GROUP_SIZE),
    Step("06_chunk_lists"),
    Step("07_documents", "numbered_chunks", rows=2 * ROW_GROUP_SIZE),
    Step("08_fts_begin"),
)
WORD_STEPS = (
    Step("08_fts_words", "documents", rows=2 * ROW_GROUP_SIZE),
    Step("08_fts_lengths"),
    Step("08_fts_means"),
    Step("08_fts_terms"),
    Step("08_fts_weights"),
    Step("08_fts_postings", "postings", rows=4_000_000, keys=TERM_KEYS),
    Step("09_of_all_chunks"),
    Step("09_signals"),
    Step("09_file_terms"),
)


def write_store(
    connection: duckdb.DuckDBPyConnection,
    path: Path,
    *,
    model: EmbeddingModel | None,
    model_key: str,
    dimension: int,
    settings: dict[str, str],
    live: Attaching | None = None,
) -> dict[str, int]:
    """Write what the work file holds into a new store at ``path``; return row counts per table.

    ``live`` attaches the file that it will replace, whose words serve again.
    """
    quoted = str(path).replace("'", "''")
    connection.execute(f"set disabled_compression_methods = '{UNWANTED_COMPRESSION}'")
    connection.execute(
        f"attach '{quoted}' as store (storage_version '{STORAGE_VERSION}', row_group_size {ROW_GROUP_SIZE})"
    )
    connection.execute("use store")
    try:
        _fill(connection, model_key=model_key, dimension=dimension, live=live)
        scan = recall.choose_scan(connection)
        if scan.macro_candidates != recall.ALL:
            replace_candidates(connection, dimension=dimension, candidates=scan.macro_candidates)
        run_build_step(connection, "10_source_characters", dimension=dimension)
        write_metadata(connection, model=model, model_key=model_key, scan=scan, settings=settings)
        counts = counts_of(connection)
        connection.execute("checkpoint store")
    finally:
        connection.execute("use memory")
        connection.execute("detach store")
    return counts


def set_up(connection: duckdb.DuckDBPyConnection, *, model_key: str) -> None:
    """Set the variables that the steps read."""
    connection.execute("set variable model = $model", {"model": model_key})
    connection.execute("set variable bm25_k1 = $k1", {"k1": BM25_K1})
    connection.execute("set variable ragduck_is_writing = true")


def _fill(
    connection: duckdb.DuckDBPyConnection, *, model_key: str, dimension: int, live: Attaching | None
) -> None:
    set_up(connection, model_key=model_key)
    create_tables(connection, dimension=dimension)
    create_macros(connection, dimension=dimension, candidates=recall.ALL)
    run_steps(STEPS, connection, dimension=dimension)
    take_words(connection, live, dimension=dimension)
    run_steps(WORD_STEPS, connection, dimension=dimension)


def write_metadata(
    connection: duckdb.DuckDBPyConnection,
    *,
    model: EmbeddingModel | None,
    model_key: str,
    scan: recall.VectorScan,
    settings: Mapping[str, str],
) -> None:
    """Say what the current database is and how it was made; `source_characters` has how long its files are."""
    now = datetime.now(UTC).replace(tzinfo=None)
    described = model.to_dict() if model else {"embedding_provider": "none", "embedding_model": "none"}
    meta = {
        **VERSIONS,
        "created_at": now.isoformat(sep=" ", timespec="seconds"),
        "bm25_k1": str(BM25_K1),
        "model_key": model_key,
        "vector_scan": scan.kind,
        "vector_candidates": str(scan.candidates),
        "vector_recall_at_10": f"{scan.recall:.4f}",
        **described,
        **settings,
    }
    connection.executemany("insert into ragduck_meta values (?, ?)", sorted(meta.items()))
    connection.execute("set variable created_at = $now", {"now": now})
    run_build_step(connection, "10_metadata", dimension=64)
    run_build_step(connection, "11_fingerprint", dimension=64)


def counts_of(connection: duckdb.DuckDBPyConnection) -> dict[str, int]:
    """Return how many rows the tables of the current database have."""
    rows = connection.execute(
        "select (select count(*) from source_documents), (select count(*) from documents), "
        "(select count(sign_0) from documents), (select count(*) from fts_terms), "
        "(select count(*) from fts_postings), (select count(*) from nodes), (select count(*) from edges)"
    ).fetchall()
    names = ("files", "chunks", "vectors", "terms", "postings", "nodes", "edges")
    return dict(zip(names, rows[0], strict=True))
