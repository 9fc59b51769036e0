"""Open a store for reading, and say in a user's words why it cannot be opened."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from threading import RLock
from types import TracebackType
from typing import Any, Self
from weakref import WeakSet

import duckdb

from ragduck.errors import ForeignFileError, StoreError
from ragduck.resources import PLANNED_ONCE
from ragduck.shell import quote
from ragduck.store.damage import damage_of, first_line, is_held, may_be_of_duckdb, told_damage
from ragduck.store.further_connections import FurtherConnections
from ragduck.store.journal import Journal, is_written
from ragduck.store.planned import PlannedStatements, fetched
from ragduck.store.saved_blocks import mend, saved_blocks_of
from ragduck.store.schema import SCHEMA_VERSION

MAX_OPENINGS = 5  # until the file stays the same meanwhile
FOLD_SECONDS = 30.0  # at most; it takes less than one
MAX_STATEMENTS = 256  # parsed ones that are kept

# A store may come from anyone: nothing in it, and no SQL a user or model writes, may reach beyond the file.
KEPT_TABLES = frozenset(
    {"documents", "source_documents", "snapshots", "nodes", "edges"}
)  # by the next prepare
CLOSED_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
    "lock_configuration": True,
}
# A checkpoint would put the small row groups of a store together to large ones, which takes seconds, leaves the file
# nearly twice as large and the zone maps coarse.
WRITING_CONFIG = {**CLOSED_CONFIG, "max_vacuum_tasks": 0}
AT_THE_END = ("enable_external_access", "lock_configuration")  # not before a file is attached
FOREIGN_HINT = "name a file made by: ragduck prepare; a foreign file is not replaced, remove it yourself"
ENCRYPTED = "encrypted database"  # in what the engine says of one
ATTACHED = "live"  # the catalog of a store that is attached


class StoreLockedError(StoreError):
    """Say that the file is in use: by a writer, or by readers when it is to be written."""


class Database:
    """An open store: rows as dictionaries, and what the file says of itself."""

    file: tuple[int, int] | None = None  # that the engine reads, though another may have its name by now
    engine: duckdb.DuckDBPyConnection | None = (
        None  # what others connect by; closed when nobody has it any more
    )

    def __init__(
        self, connection: duckdb.DuckDBPyConnection, path: Path, *, catalog: str | None = None
    ) -> None:
        """Take a connection; ``catalog`` is what the engine calls the store where it is not the only one."""
        self.connection = connection
        self.path = path
        self.place = path.absolute()
        self.catalog = catalog
        self._statements: dict[str, duckdb.Statement] = {}
        self._further = FurtherConnections(connection, catalog)
        self._planned = PlannedStatements(self._further.open)
        self.meta: dict[str, str] = self.read_meta()

    def read_meta(self) -> dict[str, str]:
        """Read what the file says of itself."""
        return {row["key"]: row["value"] for row in self.rows("select key, value from ragduck_meta")}

    def rows(self, sql: str, parameters: Mapping[str, object] | None = None) -> list[dict[str, Any]]:
        """Run one statement and return its rows; values are bound as `$name`. Threads may call it at once.

        One that begins with `-- planned once` is planned once; `PlannedStatements` says what it has to be like.
        Raises DamagedStoreError where the file is damaged, and what the engine raises otherwise.
        """
        with told_damage(self.path):
            if sql.startswith(PLANNED_ONCE):
                return self._planned.rows(sql, parameters or {})
            with self.lent() as cursor:
                return self._read(cursor, sql, parameters)

    def columns(self, sql: str, parameters: Mapping[str, object] | None = None) -> dict[str, Any]:
        """Run one statement and return its columns as arrays of numpy, masked where there are nulls."""
        with told_damage(self.path), self.lent() as cursor:
            cursor.execute(self._parsed(cursor, sql), dict(parameters) if parameters else None)
            return dict(cursor.fetchnumpy())

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Open a further connection to the store, as one serves one thread at a time."""
        return self._further.open()

    def require_open(self) -> None:
        """Raise StoreError after the store was closed."""
        if self._further.is_ended:
            raise StoreError(f"{self.path} is closed", hint="open it again: ragduck.open(STORE)")

    def lent(self) -> AbstractContextManager[duckdb.DuckDBPyConnection]:
        """Lend a further connection: no other thread has it, and what its statements set ends with it."""
        return self._further.lent()

    @property
    def is_replaced(self) -> bool:
        """Whether another file has taken the place of the one that is read."""
        return self.file is not None and file_at(self.place) not in (None, self.file)

    def _read(
        self, cursor: duckdb.DuckDBPyConnection, sql: str, parameters: Mapping[str, object] | None
    ) -> list[dict[str, Any]]:
        cursor.execute(self._parsed(cursor, sql), dict(parameters) if parameters else None)
        return fetched(cursor)

    def _parsed(self, cursor: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Statement | str:
        """Return a statement parsed once: the text of a search takes milliseconds to parse."""
        known = self._statements.get(sql)
        if known is not None:
            return known
        found = cursor.extract_statements(sql)
        if len(found) != 1:
            return sql
        if len(self._statements) >= MAX_STATEMENTS:
            self._statements.clear()
        self._statements[sql] = found[0]
        return found[0]

    def close(self) -> None:
        """Close the file, once the statements that other threads have under way are done; no more are begun."""
        self._further.end()
        self._planned.close()
        with _opening:
            try:
                self.connection.close()
            finally:
                self.engine = None
                _opened.discard(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
        if isinstance(error, duckdb.Error) and (damaged := damage_of(error, self.path)):
            raise damaged from error


_opened: WeakSet[Database] = WeakSet()  # so nothing that a database holds may hold it
_opening = RLock()  # collecting garbage may close a store while another is opened


def open_database(path: str | Path) -> Database:
    """Open a store read-only, as the file is now, though this process may hold open one that it replaced.

    Raises StoreError when there is none, when the file is something else, was made by a newer ragduck, or is
    locked by a process that writes; while conversations are folded into it, that takes a moment and is waited for.
    """
    path = Path(path)
    _mend(path)
    ends = time.monotonic() + FOLD_SECONDS
    was_folding = True
    while True:
        try:
            return _shared(path)
        except StoreLockedError:
            if not was_folding or time.monotonic() > ends:
                raise
            was_folding = is_written(path.resolve())
            time.sleep(0.01)


def _mend(path: Path) -> None:
    """Wait for who writes the store in place, or mend what a killed one left, as far as one may write."""
    store = path.resolve()
    # Who reads it in this process would lose the engine's lock.
    if saved_blocks_of(store).exists() and not _others_at(path):
        with suppress(StoreError, OSError), Journal(store).locked():
            mend(store)


def _shared(path: Path) -> Database:
    """Open a store, knowing which file is read.

    DuckDB gives all who connect to a path in one process the same engine, and that goes on reading the file that was
    there when the first of them came. Only where that is another file is an engine of its own taken, for all who
    come then: the common one also keeps this process from writing conversations into a file that it reads.
    """
    with _opening:
        for _ in range(MAX_OPENINGS):
            file = file_at(path)
            database = _reading(path, file)
            if file_at(path) == file:
                database.file = file
                _opened.add(database)
                return database
            database.close()  # it was replaced in between
        raise StoreError(f"{path} is replaced again and again", hint="try again when that is done")


def _reading(path: Path, file: tuple[int, int] | None) -> Database:
    others = _others_at(path)
    same = next((each for each in others if each.file == file), None)
    if same is not None and same.engine is not None:  # a third engine would free the second one's lock
        return _attached(path, same.engine)
    if same is None and others:
        return _attached(path, _engine_of(path))
    return _open(path, read_only=True)


def _others_at(path: Path) -> list[Database]:
    """Return who has a path open, however they wrote it: to the engine it is one."""
    place = path.resolve()
    return [each for each in _opened if each.place.resolve() == place]


def _attached(path: Path, engine: duckdb.DuckDBPyConnection) -> Database:
    """Connect to a store by an engine of its own; to close what it was connected by would end all the others."""
    connection = FurtherConnections(engine, ATTACHED).open()
    try:
        database = Database(connection, path, catalog=ATTACHED)
    except BaseException:
        connection.close()
        raise
    database.engine = engine
    return database


def _engine_of(path: Path) -> duckdb.DuckDBPyConnection:
    _require_file(path)
    config = {name: value for name, value in CLOSED_CONFIG.items() if name not in AT_THE_END}
    engine = duckdb.connect(":memory:", config=config)
    quoted = str(path).replace("'", "''")
    try:
        with _explained_errors(path):
            engine.execute(f"attach '{quoted}' as {ATTACHED} (read_only)")
        engine.execute(f"use {ATTACHED}")
        for name in AT_THE_END:
            engine.execute(f"set {name} = {str(CLOSED_CONFIG[name]).lower()}")
        _require_ragduck(engine, path)
    except BaseException:
        engine.close()
        raise
    return engine


def file_at(path: Path) -> tuple[int, int] | None:
    """Return which file is there: a store is never changed by `prepare`, but replaced."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def open_for_writing(path: str | Path) -> Database:
    """Open a store to add to it in place; a file that `open_database` refuses is not touched.

    Raises StoreLockedError while this process or another reads it, StoreError when it may not be written.
    """
    if any(other.engine for other in _others_at(Path(path))):
        raise _open_otherwise(Path(path))
    _open(Path(path), read_only=True).close()  # opening a foreign file for writing could change it
    return _open(Path(path), read_only=False)


def require_closed_here(path: Path) -> None:
    """Raise StoreLockedError while this process reads a store: to open it apart from the engine frees the lock."""
    if _others_at(path):
        raise _open_otherwise(path)


def _open(path: Path, *, read_only: bool) -> Database:
    _require_file(path)
    connection = connect(path, read_only=read_only)
    try:
        _require_ragduck(connection, path)
        return Database(connection, path)
    except BaseException:
        connection.close()
        raise


def _require_file(path: Path) -> None:
    if not path.exists():
        raise StoreError(
            f"there is no store at {path}",
            hint=f"make one with: ragduck prepare FOLDER -o {quote(str(path))}",
        )
    if path.is_dir():
        raise ForeignFileError(
            f"{path} is a folder, not a store", hint=f"name a file, such as {path}/store.duckdb"
        )
    if not path.is_file():
        raise ForeignFileError(f"{path} is no regular file", hint="name a file made by: ragduck prepare")
    if path.stat().st_size == 0:
        raise StoreError(
            f"{path} is empty", hint=f"fill it with: ragduck prepare FOLDER -o {quote(str(path))}"
        )


def connect(path: Path, *, read_only: bool) -> duckdb.DuckDBPyConnection:
    """Open a file that is there, closed to all that is outside of it; raise StoreError when that cannot be done."""
    config = CLOSED_CONFIG if read_only else WRITING_CONFIG
    with _explained_errors(path):
        return duckdb.connect(str(path), read_only=read_only, config=config)


@contextmanager
def _explained_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise damage_of(error, path) or _explained(error, path) from error


def _open_otherwise(path: Path) -> StoreLockedError:
    return StoreLockedError(f"{path} is open in this process in another way", hint="close it first")


def _foreign(path: Path) -> ForeignFileError:
    return ForeignFileError(f"{path} is not a DuckDB file", hint=FOREIGN_HINT)


def _explained(error: duckdb.Error, path: Path) -> StoreError:
    reason = first_line(error)
    if isinstance(error, duckdb.ConnectionException):
        return _open_otherwise(path)
    if ENCRYPTED in reason.lower():
        return ForeignFileError(f"{path} is an encrypted DuckDB file", hint=FOREIGN_HINT)
    if not isinstance(error, duckdb.IOException):
        if not may_be_of_duckdb(path):
            return _foreign(path)
        return StoreError(f"{path} cannot be opened: {reason}", hint=_made_again(path))
    if is_held(error):
        return StoreLockedError(
            f"{path} is locked by another process that writes to it", hint="wait until it is done, or end it"
        )
    if "not a valid DuckDB" in reason:
        return _foreign(path)
    if "version" in reason.lower():
        return StoreError(
            f"{path} was written by another version of DuckDB: {reason}", hint="pip install --upgrade duckdb"
        )
    return StoreError(f"{path} cannot be read: {reason}", hint="check the file and your rights to it")


def _require_ragduck(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    try:
        rows = connection.execute("select value from ragduck_meta where key = 'schema_version'").fetchall()
    except duckdb.Error as error:
        if damaged := damage_of(error, path):
            raise damaged from error
        if isinstance(error, duckdb.CatalogException):
            raise ForeignFileError(
                f"{path} is a DuckDB file, but not a ragduck store",
                hint=f"if sqlrooms-rag made it: ragduck upgrade {quote(str(path))}; "
                "else make a store under another name: ragduck prepare FOLDER -o STORE",
            ) from error
        raise StoreError(f"{path} is damaged: {first_line(error)}", hint=_made_again(path)) from error
    version = int(rows[0][0]) if rows and str(rows[0][0]).isdigit() else 0
    if version > SCHEMA_VERSION:
        raise StoreError(
            f"{path} has schema version {version}; this ragduck reads up to {SCHEMA_VERSION}",
            hint="install a newer ragduck, or make the store again with this one",
        )
    if version < 1:
        raise StoreError(f"{path} names no schema version", hint=_made_again(path))
    if version < SCHEMA_VERSION:
        raise StoreError(
            f"{path} was made by an older ragduck (schema version {version}; this one reads {SCHEMA_VERSION})",
            hint=_made_again(path),
        )
    _require_tables(connection, path)


def _require_tables(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Refuse views in place of tables: in a prepare they could read other files of this machine into the store."""
    names = connection.execute("select table_name from duckdb_tables() where schema_name = 'main'").fetchall()
    if missing := KEPT_TABLES - {name for (name,) in names}:
        raise StoreError(f"{path} has no tables {', '.join(sorted(missing))}", hint=_made_again(path))


def _made_again(path: Path) -> str:
    return f"make it again with: ragduck prepare FOLDER -o {quote(str(path))} --overwrite"
