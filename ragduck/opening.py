"""Open a store, or what another system wrote as if it were one."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import TYPE_CHECKING, Any

from ragduck import library
from ragduck.cache_folder import cache_file
from ragduck.errors import ForeignFileError, StoreError
from ragduck.library import Store
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.shell import quote
from ragduck.store import Database, open_database
from ragduck.store.schema import SCHEMA_VERSION
from ragduck.store.statements import Table, Values, run_read_only
from ragduck.version import __version__

if TYPE_CHECKING:
    from ragduck.question_vectors import Model
    from ragduck.store.foreign import ForeignDatabase

SWITCH = "RAGDUCK_COPIES"
COPIES = "sqlrooms-"
MOST_COPIES = 8
LONGEST_WAIT = 600.0  # seconds, for another process that makes the same copy
SAMPLE = 1 << 20  # bytes at both ends of a file that tell it from another of its size and time


def open_store(
    path: str | Path,
    *,
    embed_model: Model = None,
    faiss: str | Path = "auto",
    progress: Progress = NO_PROGRESS,
    say: Callable[[str], object] | None = None,
) -> Store:
    """Open a store, or a sqlrooms-rag file, for reading; ``embed_model`` and ``faiss`` are as in `ragduck.library`.

    A sqlrooms-rag file is turned into a store in `~/.cache/ragduck` once, with the vectors that it has, and read
    from there until it changes; ``say`` is told so, and `ragduck upgrade` does it for good. Without a cache folder,
    or with RAGDUCK_COPIES=off, it is done anew each time.
    """
    place = Path(path)
    try:
        return library.open_store(place, embed_model=embed_model, faiss=faiss)
    except ForeignFileError:
        if not _is_sqlrooms(place):
            raise
    copy, folder = _made_copy(place, progress=progress, say=say)
    if folder is None:
        return library.open_store(copy, embed_model=embed_model, faiss=faiss)
    return _PassingStore(open_database(copy), folder, embed_model=embed_model)


@contextmanager
def store_at(path: Path, *, say: Callable[[str], object] | None = None) -> Iterator[Path]:
    """Give the file in which what is at a path is a store: itself, or the copy of a sqlrooms-rag file.

    Raises StoreError for what is neither.
    """
    try:
        library.open_store(path, faiss="off").close()
    except ForeignFileError:
        if not _is_sqlrooms(path):
            raise
    else:
        yield path
        return
    copy, folder = _made_copy(path, progress=NO_PROGRESS, say=say)
    with folder or nullcontext():
        yield copy


def _made_copy(
    place: Path, *, progress: Progress, say: Callable[[str], object] | None
) -> tuple[Path, TemporaryDirectory[str] | None]:
    """Make a store of a sqlrooms-rag file unless there is one; return it, and the folder that goes with it."""
    copy, folder = _copy_of(place)
    if not _is_usable(copy):
        if say is not None:
            say(
                f"{place} is a sqlrooms-rag file, read into a copy now; for good: ragduck upgrade {quote(str(place))}"
            )
        from ragduck.upgrading import make_store

        make_store(place, copy, repo=place.stem, overwrite=True, wait=LONGEST_WAIT, progress=progress)
        shutil.copymode(place, copy)  # who may not read the file may not read its copy
    return copy, folder


class _PassingStore(Store):
    """A store that is gone when it is closed, or at the end of the process."""

    def __init__(self, database: Database, folder: TemporaryDirectory[str], *, embed_model: Model) -> None:
        super().__init__(database, embed_model=embed_model, faiss="off")
        self._folder = folder

    def close(self) -> None:
        """Close the file and remove it."""
        super().close()
        self._folder.cleanup()


class ForeignFile:
    """A sqlrooms-rag file as it is, open for SQL alone; close it."""

    def __init__(self, database: ForeignDatabase) -> None:
        self._database = database

    def table(
        self,
        statement: str,
        parameters: Values | None = None,
        *,
        variables: Mapping[str, str] | None = None,
    ) -> Table:
        """Run one read-only statement, as Store.table does."""
        return run_read_only(self._database, statement, parameters, variables=variables)

    def info(self) -> dict[str, Any]:
        """Tell what the file is: size, what its maker says of it, and rows by table."""
        from ragduck.imports.sqlrooms.tables import facts_of

        path = self._database.path
        tables = {name: self._rows_of(name) for name in sorted(self._database.tables)}
        return {
            "path": str(path),
            "size_bytes": path.stat().st_size,
            "kind": "sqlrooms-rag file",
            "metadata": facts_of(self._database),
            "tables": tables,
        }

    def _rows_of(self, table: str) -> int:
        name = table.replace('"', '""')
        return int(next(self._database.read(f'select count(*) from "{name}"'))[0])

    def close(self) -> None:
        """Close the file."""
        self._database.close()

    def __enter__(self) -> ForeignFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_tables(path: str | Path) -> Store | ForeignFile:
    """Open a store, or a sqlrooms-rag file with its own tables, which are not those of a store."""
    place = Path(path)
    try:
        return library.open_store(place, faiss="off")
    except ForeignFileError:
        if not _is_sqlrooms(place):
            raise
    from ragduck.store.foreign import open_foreign

    return ForeignFile(open_foreign(place))


def _is_sqlrooms(path: Path) -> bool:
    from ragduck.imports.sqlrooms.tables import is_recognised
    from ragduck.store.foreign import is_duckdb_file, open_foreign

    if not is_duckdb_file(path):
        return False
    with open_foreign(path) as database:
        return is_recognised(database)


def _copy_of(path: Path) -> tuple[Path, TemporaryDirectory[str] | None]:
    """Return where the store made of a file is, or is to be; a folder of its own when none is to be kept."""
    name = f"{COPIES}{_key_of(path)}.duckdb"
    kept = cache_file(name, switch=SWITCH)
    if kept is not None:
        with suppress(OSError):
            kept.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _forget_oldest(kept)
            if os.access(kept.parent, os.W_OK):
                return kept, None
    folder = TemporaryDirectory(prefix="ragduck-")
    return Path(folder.name) / name, folder


def _key_of(path: Path) -> str:
    """Tell a file by its place, size, time and ends, and the version that reads it."""
    status = path.stat()
    versions = (SCHEMA_VERSION, __version__)
    told = (str(path.resolve()), status.st_size, status.st_mtime_ns, *_log_of(path), *versions)
    digest = hashlib.blake2b(repr(told).encode(), digest_size=12)
    with path.open("rb") as file:
        digest.update(file.read(SAMPLE))
        file.seek(max(0, status.st_size - SAMPLE))
        digest.update(file.read(SAMPLE))
    return digest.hexdigest()


def _log_of(path: Path) -> tuple[int, ...]:
    """Tell size and time of the changes that DuckDB has not yet put into the file."""
    with suppress(OSError):
        status = path.with_name(path.name + ".wal").stat()
        return status.st_size, status.st_mtime_ns
    return ()


def _is_usable(copy: Path) -> bool:
    if not copy.exists():
        return False
    try:
        library.open_store(copy, faiss="off").close()
    except StoreError:
        return False
    with suppress(OSError):
        os.utime(copy)
    return True


def _forget_oldest(kept: Path) -> None:
    """Remove the copies that were not used for longest, so that the folder does not grow."""
    others = [path for path in kept.parent.glob(f"{COPIES}*.duckdb") if path != kept]
    for old in sorted(others, key=lambda path: path.stat().st_mtime)[: -(MOST_COPIES - 1)]:
        old.unlink(missing_ok=True)
        old.with_name(old.name + ".ragduck-lock").unlink(missing_ok=True)
