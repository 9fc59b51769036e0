"""Who takes part: each peer in the ways its documentation recommends, and what its environment installs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

NUMPY = ("numpy==2.4.6", "pyarrow==26.0.1")  # the harness needs both
ENVIRONMENTS: Mapping[str, tuple[str, ...]] = {
    "lancedb": ("lancedb==0.40.0", *NUMPY),
    "sqlite-vec": ("sqlite-vec==0.1.9", "apsw==3.54.1.0", *NUMPY),
    "duckdb": ("duckdb==1.5.5", "duckdb-extension-fts==1.5.5", "duckdb-extension-vss==1.5.5", *NUMPY),
    "bm25s": ("bm25s==0.3.16", "numba==0.68.1", "PyStemmer==3.1.0", *NUMPY),
    "tantivy": ("tantivy==0.27.0", *NUMPY),
    "faiss": ("faiss-cpu==1.15.1", "bm25s==0.3.16", "numba==0.68.1", "PyStemmer==3.1.0", *NUMPY),
}


@dataclass(frozen=True, slots=True)
class Entry:
    """One way to ask one peer.

    ``environment`` is None for what runs in the Python of the benchmark. Entries with the same ``files`` share what
    the first of them built. ``note`` says what a reader has to know of it.
    """

    name: str
    peer: str
    engine: str
    environment: str | None
    settings: Mapping[str, Any] = field(default_factory=dict)
    files: str = ""
    note: str = ""


UNIT = "ragduck, `Store.search`"
ROSTER: tuple[Entry, ...] = (
    Entry(
        "exact numpy", "numpy", "exact_numpy", None,
        note="the yardstick: all vectors in memory, no keywords",
    ),
    Entry(
        "ragduck, SQL macros", "ragduck", "ragduck_store", None, {"interface": "macros"}, "ragduck",
        note="`bm25`, `nearest` and `hybrid` from plain DuckDB, a filter as a `where` over an exact scan",
    ),
    Entry(
        UNIT, "ragduck", "ragduck_store", None, {"interface": "library"}, "ragduck",
        note="the same store from Python, keywords and hybrid ranked by signals, all columns of a result",
    ),
    Entry(
        "ragduck, `Store.search`, FAISS mirror", "ragduck", "ragduck_store", None, {"interface": "mirror"},
        note="with what `ragduck export faiss` writes beside the store, its time and size included",
    ),
    Entry(
        "LanceDB, flat", "lancedb", "lancedb_table", "lancedb", {"index": "flat"},
        note="what its guide advises up to about 100,000 rows",
    ),
    Entry(
        "LanceDB, IVF_PQ", "lancedb", "lancedb_table", "lancedb", {"index": "IVF_PQ"},
        note="its default index, with `refine_factor(10)`",
    ),
    Entry(
        "LanceDB, IVF_HNSW_SQ", "lancedb", "lancedb_table", "lancedb", {"index": "IVF_HNSW_SQ"},
        note="with `ef(100)` and `refine_factor(10)`",
    ),
    Entry(
        "sqlite-vec + FTS5", "sqlite-vec", "sqlite_vec_tables", "sqlite-vec",
        note="brute force with metadata columns; fusion in one SQL statement",
    ),
    Entry(
        "DuckDB fts, exact scan", "duckdb", "duckdb_extensions", "duckdb", {"index": "flat"},
        note="`match_bm25`, and an ordered scan without vss; the benchmark fuses",
    ),
    Entry(
        "DuckDB fts + vss HNSW", "duckdb", "duckdb_extensions", "duckdb", {"index": "hnsw"},
        note="index kept in the file, which its documentation calls experimental; the benchmark fuses",
    ),
    Entry(
        "FAISS flat + bm25s", "faiss", "faiss_with_bm25s", "faiss", {"index": "flat"},
        note="two indexes and all texts in memory, filters as `IDSelectorBatch`; the benchmark fuses",
    ),
    Entry(
        "FAISS HNSW + bm25s", "faiss", "faiss_with_bm25s", "faiss", {"index": "hnsw"},
        note="the same with M = 32, efConstruction = 200, efSearch = 64, at least the number of results",
    ),
    Entry("FAISS flat", "faiss", "faiss_index", "faiss", {"index": "flat"}, note="without keywords"),
    Entry("FAISS HNSW", "faiss", "faiss_index", "faiss", {"index": "hnsw"}, note="without keywords"),
    Entry("bm25s", "bm25s", "bm25s_index", "bm25s", note="keywords only; all texts in memory, scoring by numba"),
    Entry("tantivy", "tantivy", "tantivy_index", "tantivy", note="keywords only; texts stored in the index"),
)  # fmt: skip


def entries_of(peers: tuple[str, ...]) -> list[Entry]:
    """Return the entries of the peers named, of all without names; SystemExit for an unknown one."""
    known = {entry.peer for entry in ROSTER}
    unknown = set(peers) - known
    if unknown:
        raise SystemExit(f"unknown peers: {', '.join(sorted(unknown))}; known: {', '.join(sorted(known))}")
    return [entry for entry in ROSTER if not peers or entry.peer in peers]
