"""Take the words of chunks that did not change from the live file, so that only others are read for their words."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import duckdb

from ragduck.errors import StoreError
from ragduck.resources import sql_text
from ragduck.store.schema import ROW_GROUP_SIZE, VERSIONS, run_build_step
from ragduck.store.steps import Step, run_steps

# Attaches the live file as `live` while it is entered.
Attaching = Callable[[], AbstractContextManager[object]]

TABLES = frozenset({"ragduck_meta", "documents", "fts_terms", "fts_postings", "fts_lengths"})
STEPS = (
    Step("08_known_pairs"),
    Step("08_known_chunks", "documents", rows=2 * ROW_GROUP_SIZE),
    Step("08_known_words"),
)


def take_words(connection: duckdb.DuckDBPyConnection, live: Attaching | None, *, dimension: int) -> int:
    """Begin the tables of words with what the live file knows of chunks that are in the new store as they were.

    Return how many chunks that are: none without a live file, of one that another version wrote, that cannot be read
    to the end, or that lacks terms.
    """
    run_build_step(connection, "08_fts_tables", dimension=dimension)
    if live is None:
        return 0
    try:
        with live():
            if cuts_words_alike(connection):
                run_steps(STEPS, connection, dimension=dimension)
        is_whole = not connection.execute(sql_text("build/terms_missing.sql")).fetchall()
    except (duckdb.Error, StoreError):
        is_whole = False
    if not is_whole:  # all words are read anew, which costs only time
        run_build_step(connection, "08_fts_tables", dimension=dimension)
    return int(connection.execute("select count(*) from known_chunks").fetchall()[0][0])


def cuts_words_alike(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether this ragduck and this engine wrote the live file. Views could read other files of this machine."""
    rows = connection.execute(
        "select table_name from duckdb_tables() where database_name = 'live' and schema_name = 'main'"
    ).fetchall()
    if not {name for (name,) in rows} >= TABLES:
        return False
    meta = dict(connection.execute("select key, value from live.ragduck_meta").fetchall())
    return all(meta.get(name) == version for name, version in VERSIONS.items())
