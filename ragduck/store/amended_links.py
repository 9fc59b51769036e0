"""Make links and names of nodes anew in a connection of their own, while another one looks at the chunks.

Both write to the same copy of a store, to other tables of it. What the links are made of is handed over in `linking`,
as temporary tables are those of a connection.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import duckdb

from ragduck.model import Snapshot
from ragduck.store.amending import Amending

ALL_NUMBERS = {"low": -(2**31), "high": 2**31}  # of nodes, files and so on


class AmendedLinks(Amending):
    """Links and names of a branch whose nodes and edges are up to date."""

    def begin(self) -> None:
        """Hand over what these depend on."""
        self._run("links_begin")

    @contextmanager
    def made_beside(self, snapshot: Snapshot) -> Iterator[None]:
        """Make them while the caller goes on; leaving waits for them, and raises what went wrong."""
        with self._connection.cursor() as connection, ThreadPoolExecutor(1) as beside:
            made = beside.submit(AmendedLinks(connection, self._dimension)._make, snapshot)
            yield
            made.result()

    def _make(self, snapshot: Snapshot) -> None:
        self._connection.execute("use linking")
        self._connection.execute("set search_path = 'linking,store'")
        self._set(repo=snapshot.repo, branch=snapshot.branch, **ALL_NUMBERS)
        self._run("links_moved")
        self._build("04_graph_degrees")
        self._run("linking_edges")
        self._build("04_graph_links")
        self._run("links_new")
        if self._rows("are_named_anew"):
            self._run("naming")
            self._build("04_graph_names")
            self._run("names_new")


@contextmanager
def place_for_links(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Have a database `linking` in memory."""
    connection.execute("attach ':memory:' as linking")
    try:
        yield
    finally:
        connection.execute("detach linking")
