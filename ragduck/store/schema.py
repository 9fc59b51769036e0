"""Create the tables and macros of a store for a model's dimension."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

import duckdb

from ragduck.resources import for_dimension, sql_files, sql_text, with_parts
from ragduck.version import __version__

SCHEMA_VERSION = 9
# Of sql/macros/01_terms.sql and sql/build/08_fts_words.sql: the same words must be cut when indexing and asking, and
# in every chunk, as those of chunks that did not change are kept.
TOKENIZER_VERSION = 2  # raised when words are cut otherwise, or other words count
STORAGE_VERSION = "v1.2.0"  # every DuckDB since 1.2 reads it
ROW_GROUP_SIZE = 16384  # rows per zone map; see docs/decisions/file-layout.md
BM25_K1 = 1.2
# What wrote a store, as it says in its metadata.
VERSIONS: Mapping[str, str] = MappingProxyType(
    {
        "schema_version": str(SCHEMA_VERSION),
        "ragduck_version": __version__,
        "duckdb_version": duckdb.__version__,
        "tokenizer_version": str(TOKENIZER_VERSION),
    }
)
NO_MODEL_DIMENSION = 1  # the embedding column of a store without vectors


def create_tables(
    connection: duckdb.DuckDBPyConnection, *, dimension: int, only: Collection[str] = ()
) -> None:
    """Create the empty tables of a store in the current database, or those of some files of `sql/schema`."""
    connection.execute("begin")  # one transaction: each of its own would wait for the disk
    for path in sql_files("schema"):
        if not only or path.stem in only:
            connection.execute(for_dimension(path.read_text(encoding="utf-8"), dimension))
    connection.execute("commit")


def create_macros(connection: duckdb.DuckDBPyConnection, *, dimension: int, candidates: int) -> None:
    """Create the stored macros; ``candidates`` is how many sign matches a vector search compares exactly."""
    connection.execute("begin")
    for path in sql_files("macros"):
        connection.execute(_macros_of(path, dimension=dimension, candidates=candidates))
    connection.execute("commit")


def replace_candidates(connection: duckdb.DuckDBPyConnection, *, dimension: int, candidates: int) -> None:
    """Create those macros again that name the number of candidates; others find them by name."""
    connection.execute("begin")
    for path in sql_files("macros"):
        sql = _macros_of(path, dimension=dimension, candidates=candidates)
        if f"candidates := {candidates}" in sql:
            connection.execute(sql.replace("create macro", "create or replace macro"))
    connection.execute("commit")


def _macros_of(path: Path, *, dimension: int, candidates: int) -> str:
    sql = for_dimension(with_parts(path.read_text(encoding="utf-8")), dimension)
    return re.sub(r"candidates := \d+", f"candidates := {candidates}", sql)


def run_build_step(connection: duckdb.DuckDBPyConnection, name: str, *, dimension: int) -> None:
    """Run one file of `sql/build`."""
    connection.execute(for_dimension(with_parts(sql_text(f"build/{name}.sql")), dimension))


def run_in_slices(
    connection: duckdb.DuckDBPyConnection, name: str, *, last: int, size: int, dimension: int
) -> None:
    """Run one file of `sql/build` for keys up to ``last``, about ``size`` at a time: from `low`, below `high`."""
    for low, high in slices(last, size=size):
        connection.execute("set variable low = $low", {"low": low})
        connection.execute("set variable high = $high", {"high": high})
        run_build_step(connection, name, dimension=dimension)


def slices(last: int, *, size: int) -> Iterator[tuple[int, int]]:
    """Cut the numbers from 0 to ``last`` into slices of ``size``, each a first number and one behind its last.

    The last slice takes what would be less than half of one: DuckDB compresses rows that fill no row group again, in
    a checkpoint.
    """
    lows = range(0, max(last + 1 - size // 2, 1), size)
    for low in lows:
        yield low, last + 1 if low == lows[-1] else low + size
