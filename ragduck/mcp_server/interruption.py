"""End what a call has the engine do, from another thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Event, Lock
from typing import Protocol, TypeVar

from ragduck.store import Database
from ragduck.store.further_connections import Connection

Answer = TypeVar("Answer")
Tell = Callable[[str], None]


class Interruptible(Protocol):
    """What runs statements and can be told to stop, as connections of the engine can."""

    def interrupt(self) -> None:
        """Stop the statement that runs now, if there is one."""


class CallEndedError(Exception):
    """Stop a thread whose answer nobody waits for any more."""


def _tell_nobody(_: str) -> None:
    """Tell nobody how far a call has come."""


class Call:
    """One call in its thread. `end` interrupts its statements; those it would begin later are refused.

    ``tell`` tells whoever waits how far it has come.
    """

    def __init__(self, *, tell: Tell = _tell_nobody) -> None:
        self.tell = tell
        self.has_begun = False
        self.ended = Event()
        self.finished = Event()
        self._lock = Lock()
        self._running: list[Interruptible] = []

    def run(self, work: Callable[[], Answer]) -> Answer:
        """Do the work as this call, in the thread of the caller."""
        token = _current.set(self)
        self.has_begun = True
        try:
            self.require_running()
            return work()
        finally:
            _current.reset(token)
            self.finished.set()

    def end(self) -> None:
        """Interrupt what runs. A statement that is just about to begin takes no notice: call it until finished."""
        self.ended.set()
        with self._lock:
            for connection in self._running:
                connection.interrupt()

    def require_running(self) -> None:
        """Raise CallEndedError when the call was ended."""
        if self.ended.is_set():
            raise CallEndedError

    @contextmanager
    def interrupting(self, connection: Interruptible) -> Iterator[None]:
        """Let `end` reach a connection for as long as the block runs."""
        self.require_running()
        with self._lock:
            self._running.append(connection)
        try:
            yield
        finally:
            with self._lock:
                self._running.remove(connection)


_current: ContextVar[Call | None] = ContextVar("call", default=None)


def current_call() -> Call:
    """Return the call whose thread this is; outside of any, one that nobody ends."""
    return _current.get() or Call()


class InterruptibleDatabase(Database):
    """An open store whose statements end with the call that they belong to; it is closed with what was opened."""

    def __init__(self, opened: Database) -> None:
        super().__init__(opened.connection, opened.path, catalog=opened.catalog)
        self.file = opened.file
        self._opened_as = opened

    def close(self) -> None:
        """Close the file."""
        super().close()
        self._opened_as.close()

    @contextmanager
    def lent(self) -> Iterator[Connection]:
        """Lend a further connection, which the call may interrupt."""
        with super().lent() as cursor, current_call().interrupting(cursor):
            yield cursor
