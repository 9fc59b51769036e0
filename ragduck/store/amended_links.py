"""Make links and names of nodes anew in a connection of their own, while another one looks at the chunks.

Both write to the same copy of a store, to other tables of it. What the links are made of is handed over in `linking`,
as temporary tables are those of a connection.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from functools import partial
from threading import Event

import duckdb

from ragduck.model import Snapshot
from ragduck.store.amending import Amending

INTERRUPT_SECONDS = 0.05
ALL_NUMBERS = {"low": -(2**31), "high": 2**31}  # of nodes, files and so on


class AmendedLinks(Amending):
    """Links and names of a branch whose nodes and edges are up to date."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, dimension: int) -> None:
        super().__init__(connection, dimension)
        self._is_left = Event()

    def begin(self) -> None:
        """Hand over what these depend on."""
        self._run("links_begin")

    @contextmanager
    def made_beside(self, snapshot: Snapshot) -> Iterator[None]:
        """Make them while the caller goes on; leaving waits for them, and raises what went wrong.

        Where the caller fails, or is interrupted, nobody needs them: a statement at work is ended, and none follows.
        """
        with self._connection.cursor() as connection, ThreadPoolExecutor(1) as beside:
            links = AmendedLinks(connection, self._dimension)
            made = beside.submit(links._make, snapshot)
            try:
                yield
                made.result()
            finally:
                links._is_left.set()
                while not made.done():
                    with suppress(KeyboardInterrupt):  # a second one: a connection at work cannot be closed
                        connection.interrupt()  # as often as it takes: one that comes between statements is lost
                        wait([made], timeout=INTERRUPT_SECONDS)

    def _make(self, snapshot: Snapshot) -> None:
        for step in self._steps(snapshot):
            if self._is_left.is_set():
                return
            step()

    def _steps(self, snapshot: Snapshot) -> Iterator[Callable[[], object]]:
        yield partial(self._connection.execute, "use linking")
        yield partial(self._connection.execute, "set search_path = 'linking,store'")
        yield partial(self._set, repo=snapshot.repo, branch=snapshot.branch, **ALL_NUMBERS)
        yield partial(self._run, "links_moved")
        yield partial(self._build, "04_graph_degrees")
        yield partial(self._run, "linking_edges")
        yield partial(self._build, "04_graph_links")
        yield partial(self._run, "links_new")
        if self._rows("are_named_anew"):
            yield partial(self._run, "naming")
            yield partial(self._build, "04_graph_names")
            yield partial(self._run, "names_new")


@contextmanager
def place_for_links(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Have a database `linking` in memory."""
    connection.execute("attach ':memory:' as linking")
    try:
        yield
    finally:
        connection.execute("detach linking")
