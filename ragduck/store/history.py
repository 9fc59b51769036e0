"""Keep conversations and traces with a store, though others may be reading it.

DuckDB lets nobody write while another process reads. What is saved goes into a journal beside the store first, and
from there into its tables as soon as nobody reads; what is known is what the tables and the journal say together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, TypeVar

import duckdb

from ragduck.conversation import Conversation, HistorySummary, RunRecord, Turn
from ragduck.errors import StoreError, UsageError
from ragduck.resources import sql_text
from ragduck.shell import quote
from ragduck.store.connection import (
    Database,
    StoreLockedError,
    open_database,
    open_for_writing,
    require_closed_here,
)
from ragduck.store.damage import first_line
from ragduck.store.history_records import Deletion, Item, Known, entry_of, from_data, item_of, to_data
from ragduck.store.history_tables import CARRIED, HISTORY_TABLES, add_items, fill_history
from ragduck.store.journal import Entries, Journal
from ragduck.store.saved_blocks import blocks_saved, mend
from ragduck.store.seal import kept_seal

ALL = 2**62
Read = TypeVar("Read")


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """A conversation as lists show it; ``title`` is its first question."""

    session_id: str
    title: str
    turns: int
    first_at: datetime
    last_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """Return the facts as `history list --json` prints them."""
        return to_data(self)


@dataclass(frozen=True, slots=True)
class Pending:
    """What waits in the journal: records, and lines that are none. ``reason`` tells why they wait, where known."""

    records: int
    torn: int = 0
    foreign: int = 0
    reason: str | None = None


class StoreHistory:
    """The conversations and traces of one store. Nothing that a `save_` method returned for is lost.

    Saving needs no access to the store, so it works while the store is open anywhere. Call `fold` once this process
    has closed the store.
    """

    def __init__(self, path: str | Path) -> None:
        path = Path(path)
        self.path = path.resolve() if path.is_symlink() else path
        self._journal = Journal(self.path)
        self._reason: str | None = None

    def load(self, session_id: str) -> Conversation:
        """Return a session with all its turns and its newest summary."""
        known = self._known(session_id)
        return Conversation(session_id, known.turns_of(session_id), known.summary_of(session_id))

    def save_turn(self, turn: Turn) -> None:
        """Keep a turn; saving the same turn_id, or the same request_id in a session, again changes nothing."""
        self._save(turn)

    def save_summary(self, summary: HistorySummary) -> None:
        """Keep a version of the summary of a session."""
        self._save(summary)

    def save_run(self, run: RunRecord) -> None:
        """Keep the trace of a run."""
        self._save(run)

    def delete(self, session_id: str) -> None:
        """Forget a session: its turns, summaries and runs. Turns that are saved later are kept."""
        self._save(Deletion(session_id))

    def _save(self, item: Item) -> None:
        entry = entry_of(item)
        if item_of(entry) is None:
            raise StoreError(
                f"{type(item).__name__} has a field of a wrong type", hint="see ragduck.conversation"
            )
        self._journal.append([entry])

    def pending(self) -> Pending:
        """Tell what waits in the journal to be folded into the store."""
        entries = self._journal.read()
        return Pending(len(entries.records), entries.torn, entries.foreign, self._reason)

    def fold(self) -> bool:
        """Move what waits in the journal into the store; return whether nothing waits any more.

        While anyone reads the store, or when it cannot be written, the journal waits: that is no error.
        """
        if not self._journal.exists:
            return True
        try:
            with self._journal.locked(), kept_seal(self.path), _writing(self.path) as database:
                entries = self._journal.read()
                unfit = add_items(database.connection, _items(entries))
                database.connection.execute("checkpoint")
                database.close()
                self._clear(entries, unfit)
        except StoreError as error:
            self._reason = error.message
        except (duckdb.Error, OSError) as error:
            self._reason = f"{self.path} could not be written: {first_line(error)}"
        else:
            self._reason = None
        return not self._journal.exists

    def _clear(self, entries: Entries, unfit: Sequence[Item]) -> None:
        """Remove the journal unless the engine has left part of the store in its own log."""
        if not _log_of(self.path).exists():
            self._journal.clear(keep_aside=_is_mixed(entries, unfit))

    def sessions(self) -> tuple[SessionFacts, ...]:
        """Return all sessions, the one that was used last at first."""
        items = self._waiting()
        touched = {item.session_id for item in items}
        rows = self._rows(lambda database: database.rows("from conversations"))
        found = [_session(row) for row in rows if row["session_id"] not in touched]
        found += [facts for session_id in touched if (facts := _facts(self.load(session_id)))]
        return tuple(sorted(found, key=lambda each: (each.last_at, each.session_id), reverse=True))

    def find_session(self, prefix: str) -> str:
        """Return the id of the session that begins so. Raises UsageError when there is none or several."""
        ids = {session.session_id for session in self.sessions()} | {run.session_id for run in self.runs()}
        return _only(ids, prefix, what="session", where=self.path)

    def runs(self, session_id: str | None = None, *, newest: int | None = None) -> tuple[RunRecord, ...]:
        """Return runs without their steps, newest first."""
        return self._runs(session_id, newest=newest)

    def find_run(self, prefix: str) -> RunRecord:
        """Return the run whose id begins so, with its steps; `last` is the newest.

        Raises UsageError when there is none or several.
        """
        found = self._runs(newest=1) if prefix == "last" else self._runs(prefix=prefix)
        exact = [run.run_id for run in found if prefix in (run.run_id, "last")]
        ids = exact or [run.run_id for run in found]
        run_id = _only(ids, "" if exact else prefix, what="run", where=self.path)
        known = self._known(steps_of=run_id, prefix=run_id)
        return known.runs[run_id]

    def _runs(
        self, session_id: str | None = None, *, prefix: str = "", newest: int | None = None
    ) -> tuple[RunRecord, ...]:
        known = self._known(session_id, prefix=prefix, newest=newest)
        found = [
            run
            for run in known.runs.values()
            if run.run_id.startswith(prefix) and session_id in (None, run.session_id)
        ]
        found.sort(key=lambda run: (run.started_at, run.run_id), reverse=True)
        return tuple(found[:newest])

    def export(self, session_id: str | None = None) -> list[dict[str, Any]]:
        """Return a session, or all of them oldest first, with turns and summaries as JSON values."""
        known = self._known(session_id)
        ids = sorted({turn.session_id for turn in known.turns.values()})
        facts = [_facts(Conversation(each, known.turns_of(each))) for each in ids]
        ordered = sorted(filter(None, facts), key=lambda each: (each.first_at, each.session_id))
        return [
            {
                **each.to_dict(),
                "turns": [to_data(turn) for turn in known.turns_of(each.session_id)],
                "summaries": [to_data(summary) for summary in known.summaries_of(each.session_id)],
            }
            for each in ordered
        ]

    def _waiting(self) -> list[Item]:
        return _items(self._journal.read())

    def _known(
        self,
        session_id: str | None = None,
        *,
        prefix: str | None = None,
        newest: int | None = None,
        steps_of: str | None = None,
    ) -> Known:
        """Return what tables and journal say: the journal is read first, so that a fold in between hides nothing."""
        waiting = [item for item in self._waiting() if session_id in (None, item.session_id)]
        if any(isinstance(item, Deletion) for item in waiting):
            newest = None  # some of the newest may be forgotten
        known = Known()

        def read(database: Database) -> list[Item]:
            items: list[Item] = []
            if prefix is None:
                items += _records(database, "turns", Turn, session_id)
                items += _records(database, "summaries", HistorySummary, session_id)
            else:
                items += _run_records(database, session_id, prefix, newest or ALL, steps_of)
            return items

        known.add(self._rows(read))
        known.add(waiting)
        return known

    def _rows(self, read: Callable[[Database], Read]) -> Read:
        try:
            with open_database(self.path) as database:
                return read(database)
        except (duckdb.Error, TypeError, ValueError, ArithmeticError, RecursionError) as error:
            raise StoreError(
                f"the conversations in {self.path} cannot be read: {first_line(error)}",
                hint=f"look what is wrong: ragduck check {quote(str(self.path))}",
            ) from error


@contextmanager
def kept_history(
    connection: duckdb.DuckDBPyConnection, *, live: Path, new: Path, forget_unreadable: bool
) -> Iterator[None]:
    """Bring the history of the live file into the new one, which the caller renames over it inside.

    Nobody can save or fold meanwhile, so nothing is lost. ``forget_unreadable`` goes on without the tables of a live
    file that cannot be read; what waits in its journal is kept even so.
    """
    journal = Journal(live)
    with journal.locked():
        mend(live)
        entries = journal.read()
        source = _readable(live, forget_unreadable=forget_unreadable)
        items = _items(entries)
        unfit = fill_history(connection, new, live=source, items=items) if source or items else []
        _log_of(live).unlink(missing_ok=True)  # of the old file; what it says is still in the journal
        yield
        if journal.exists:
            journal.clear(keep_aside=_is_mixed(entries, unfit))


def _readable(live: Path, *, forget_unreadable: bool) -> Path | None:
    """Return the live file if it holds conversations or traces that can be read."""
    if not live.exists() or live.stat().st_size == 0:
        return None
    try:
        with open_database(live) as database:
            if forget_unreadable:
                _read_to_the_end(database)
            holds_any = _holds_any(database)
    except StoreLockedError:
        raise
    except (StoreError, duckdb.CatalogException):
        if forget_unreadable:
            return None
        raise
    return live if holds_any else None


def _holds_any(database: Database) -> bool:
    """Whether there is anything to carry over."""
    tables = database.rows("select table_name from duckdb_tables() where schema_name = 'main'", {})
    held = sorted(CARRIED & {row["table_name"] for row in tables})
    return any(database.rows(f"select 1 as held from {table} limit 1") for table in held)


def _read_to_the_end(database: Database) -> None:
    """Read the conversations: a file that is damaged elsewhere opens as if nothing were wrong."""
    tables = database.rows("select table_name from duckdb_tables() where schema_name = 'main'", {})
    for table in sorted(CARRIED & {row["table_name"] for row in tables}):  # a view is not carried over
        database.rows(f"select max(hash(kept)) from {table} as kept")


@contextmanager
def _writing(path: Path) -> Iterator[Database]:
    """Open a store to change it in place by one checkpoint; the lock of the journal must be held."""
    require_closed_here(path)
    mend(path)
    if _log_of(path).exists():  # which takes a checkpoint of its own
        with _in_place(path) as database:
            if _log_of(path).exists():
                database.connection.execute("checkpoint")
    with _in_place(path) as database:
        yield database


@contextmanager
def _in_place(path: Path) -> Iterator[Database]:
    with open_database(path) as database:
        rows = database.rows("select table_name from duckdb_tables() where schema_name = 'main'")
        if missing := HISTORY_TABLES - {row["table_name"] for row in rows}:
            raise StoreError(
                f"{path} has no tables {', '.join(sorted(missing))}",
                hint="make it again with: ragduck prepare --overwrite",
            )
        size = int(database.rows("select block_size from pragma_database_size()")[0]["block_size"])
        blocks = [row["block_id"] for row in database.rows("select block_id from pragma_metadata_info()")]
    require_closed_here(path)
    with blocks_saved(path, blocks, size=size), open_for_writing(path) as database:
        yield database


def _log_of(store: Path) -> Path:
    """Return where DuckDB keeps what it has not yet written into the file itself."""
    return store.with_name(store.name + ".wal")


def _items(entries: Entries) -> list[Item]:
    return [item for entry in entries.records if (item := item_of(entry)) is not None]


def _is_mixed(entries: Entries, unfit: Sequence[Item]) -> bool:
    """Whether a journal holds what the store does not: lines that ragduck did not write."""
    return bool(entries.foreign or unfit or len(_items(entries)) < len(entries.records))


def _records(database: Database, name: str, kind: Any, session_id: str | None) -> list[Item]:
    rows = database.rows(sql_text(f"history/{name}.sql"), {"session_id": session_id})
    return [from_data(kind, row) for row in rows]


def _run_records(
    database: Database, session_id: str | None, prefix: str, newest: int, steps_of: str | None
) -> list[Item]:
    chosen = {"session_id": session_id, "prefix": prefix, "newest": newest}
    steps = database.rows(sql_text("history/steps.sql"), {"run_id": steps_of}) if steps_of else []
    rows = database.rows(sql_text("history/runs.sql"), chosen)
    return [
        from_data(RunRecord, {**row, "steps": steps if row["run_id"] == steps_of else ()}) for row in rows
    ]


def _session(row: dict[str, Any]) -> SessionFacts:
    names = {"first_at": row["created_at"], "last_at": row["last_turn_at"]}
    return from_data(SessionFacts, {**row, **names})


def _facts(conversation: Conversation) -> SessionFacts | None:
    turns = conversation.turns
    if not turns:
        return None
    first, last = turns[0], turns[-1]
    return SessionFacts(
        conversation.session_id, first.question, len(turns), first.created_at, last.created_at
    )


def _only(ids: Iterable[str], prefix: str, *, what: str, where: Path) -> str:
    """Return the one id that begins so; one that is exactly so counts before longer ones."""
    found = sorted({each for each in ids if each.startswith(prefix)})
    if prefix in found:
        return prefix
    store = quote(str(where))
    if not found:
        raise UsageError(f"{where} has no {what} {prefix!r}", hint=f"see: ragduck history list {store}")
    if len(found) > 1:
        shown = ", ".join(found[:5])
        raise UsageError(
            f"{len(found)} of the {what}s begin with {prefix!r}: {shown}", hint="give more of the id"
        )
    return found[0]
