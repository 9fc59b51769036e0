"""Let another process tie code to databases before it is asked: it idles while this one walks and reads.

It reads what the cache has of the files as they were, then parses those that changed as soon as they are walked, and
goes on. What it found counts if it had the facts that this process has in the end.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import NamedTuple, TypeVar

from ragduck.facts import FileFacts
from ragduck.facts.packing import Room, read_facts
from ragduck.garbage import without_collection
from ragduck.graph.build import Stored
from ragduck.graph.code.file_uses import ReadUses
from ragduck.model import SeenFile, SourceFile
from ragduck.parse_cache import Remembered, SeenFiles
from ragduck.preparation.found_ahead import FoundAhead, Told
from ragduck.preparation.known_facts import KnownFacts
from ragduck.preparation.processes import begun, begun_aside, count_of, end_processes, ended
from ragduck.preparation.remembered_uses import AskedElsewhereError
from ragduck.preparation.shared_out import taken
from ragduck.preparation.touched_files import Touched
from ragduck.preparation.unchanged import divided, facts_in_cache
from ragduck.preparation.workers import BATCH_BYTES, ParseTask, parse_batch
from ragduck.sources import with_numbered_scripts

FEW_FILES = 50  # that changed, and no more than a batch: more are parsed by several processes
MOST_BYTES = 25_000_000  # of packed facts: a process that grew by 300 MB is let go, with all that it read


class Ahead:
    """What another process may find out before it is asked; nothing where there may be no other."""

    def __init__(self, processes: int | None = 1) -> None:
        self._is_possible = count_of(processes) > 1
        self._is_read = False
        self._is_begun = False
        self._marks: TemporaryDirectory[str] | None = None  # of files that are shared out

    def read(self, task: ParseTask) -> None:
        """Begin to read what the cache has of the files as they were seen last; ``settings`` may lack a database."""
        if self._is_possible and task.cache is not None:
            with suppress(*ended()):
                begun_aside(_read_as_seen, task)
                self._is_read = True

    def tie(self, files: Sequence[SourceFile]) -> None:
        """Begin to tie code to databases, as the files are now, where it was begun to read what is known."""
        if self._is_read:
            with suppress(OSError, *ended()):
                self._marks = TemporaryDirectory(prefix="ragduck-", ignore_cleanup_errors=True)
                begun_aside(_tie, [_row(file) for file in files], Path(self._marks.name))
                self._is_begun = True

    def leave(self) -> None:
        """End the process that was begun to read, as nothing is left to do: this one would wait for it to end."""
        if self._is_read:
            end_processes()
            self._is_read = self._is_begun = False

    @contextmanager
    def left_on_error(self) -> Iterator[None]:
        """End the process where an error ends this run, which would wait for it."""
        try:
            yield
        except BaseException:
            self.leave()
            raise
        finally:
            if self._marks is not None:
                self._marks.cleanup()

    def beside(self, facts: KnownFacts) -> OtherProcess | None:
        """Return what tells what was found out among these facts, if anything was."""
        return OtherProcess(facts, Path(self._marks.name)) if self._is_begun and self._marks else None


class OtherProcess:
    """What another process found out, if that was among these facts."""

    def __init__(self, facts: KnownFacts, marks: Path) -> None:
        self._marks = marks
        self._name = facts.name
        self._told: Future[Told] | None = None

    def touched(self, before: bytes) -> Callable[[], Touched | None]:
        """Ask what is touched since an earlier run."""
        try:
            return partial(_answer, begun(1, _touched_among, self._name, before))
        except ended():
            raise AskedElsewhereError from None

    def taken(self, paths: Sequence[str]) -> Iterator[str]:
        """Take over files, from the end on, as long as it has not begun with the next one."""
        return taken(paths, self._marks, from_end=True)

    def ask(self) -> Future[Told]:
        """Ask for all the rest."""
        if self._told is None:
            self._told = begun(1, _told_among, self._name)
        return self._told

    def stored(self) -> Stored:
        """Return what code does to databases. Raises AskedElsewhereError."""
        return self._rest().stored

    def uses(self) -> ReadUses:
        """Return what the files use that it read. Raises AskedElsewhereError."""
        uses = self._rest().uses
        if uses is None:
            raise AskedElsewhereError
        return uses

    def _rest(self) -> Told:
        try:
            return self.ask().result()
        except ended():
            raise AskedElsewhereError from None


def _answer(future: Future[Found]) -> Found:
    """Wait for an answer. Raises AskedElsewhereError where there is none."""
    try:
        return future.result()
    except ended():
        raise AskedElsewhereError from None


class _Seen(NamedTuple):
    """What the cache has of files as they were seen, the facts of statements still packed."""

    task: ParseTask
    files: Mapping[str, SeenFile]
    packed: Mapping[str, bytes]
    facts: dict[str, FileFacts]


Found = TypeVar("Found")
_Row = tuple[str, int, int, int, str | None, str]
_seen: list[_Seen] = []  # of one folder at most
_found: list[FoundAhead] = []


def _read_as_seen(task: ParseTask) -> None:
    _seen.clear()
    while _found:
        _found.pop().leave()
    gc.unfreeze()  # what an earlier run left
    seen = SeenFiles(task.cache, root=task.snapshot.root).find()
    database = task.settings.database or only_database(seen) or task.snapshot.repo
    task = replace(task, settings=replace(task.settings, database=database))
    remembered = Remembered(task.cache, settings=task.settings)
    files = [file for _, file in sorted(seen.items()) if not file.reason]
    packed = facts_in_cache(files, remembered=remembered)
    if sum(map(len, packed.values())) > MOST_BYTES:
        return
    with without_collection():
        facts = {file.path: file for file in read_facts(packed.values(), Room())}
        gc.freeze()
    _seen.append(_Seen(task, seen, packed, facts))


def _tie(rows: Sequence[_Row], marks: Path) -> None:
    """Parse what changed, then tie beside what else this process is asked to do."""
    if not _seen:
        return
    seen = _seen.pop()
    packed = _packed_now([_file(row, seen.task.snapshot.root) for row in rows], seen)
    if packed is None:
        return
    found = FoundAhead(marks)
    _found.append(found)
    Thread(target=_find, args=(found, lambda: _known_facts(packed, seen)), daemon=True).start()


def _find(found: FoundAhead, facts: Callable[[], KnownFacts]) -> None:
    found.find(facts)
    found.let_go()


def _known_facts(packed: Mapping[str, bytes], seen: _Seen) -> KnownFacts:
    task = seen.task
    if task.cache is None:
        raise AskedElsewhereError
    return KnownFacts(task.cache, task.snapshot, list(packed.values()), read=lambda: _facts_of(packed, seen))


def _packed_now(files: Sequence[SourceFile], seen: _Seen) -> dict[str, bytes] | None:
    """Return the facts of files as they are now; None where many have to be parsed."""
    task = seen.task
    files = with_numbered_scripts(files, code_page=task.code_page)
    held = frozenset(file.text_hash for file in seen.files.values())
    division = divided(files, seen=seen.files, held=held, code_page=task.code_page)
    if len(division.unknown) > FEW_FILES or sum(file.size for file in division.unknown) > BATCH_BYTES:
        return None
    packed = {file.path: seen.packed[file.path] for file in division.known if file.path in seen.packed}
    otherwise = [file for file in division.known if seen.files[file.path] != file]
    for file in otherwise:
        packed.pop(file.path, None)
    packed |= facts_in_cache(otherwise, remembered=Remembered(task.cache, settings=task.settings))
    parsed = parse_batch(division.unknown, task, is_kept=False)  # which is asked for by itself, and counted
    packed |= parsed.facts
    return {file.path: packed[file.path] for file in files if file.path in packed}


def _facts_of(packed: Mapping[str, bytes], seen: _Seen) -> Iterator[FileFacts]:
    """Give up the facts of files that are as they were seen, and read those of others."""
    room = Room()
    for path, facts in packed.items():
        is_held = seen.packed.get(path) is facts
        yield seen.facts.pop(path) if is_held else next(read_facts((facts,), room))
    seen.facts.clear()


def _found_here() -> FoundAhead:
    if not _found:
        raise AskedElsewhereError
    return _found[-1]


def _touched_among(name: bytes, before: bytes) -> Touched | None:
    return _found_here().touched(name, before)


def _told_among(name: bytes) -> Told:
    return _found_here().told(name)


def _row(file: SourceFile) -> _Row:
    """Return a file as values that are quickly handed over."""
    return file.path, file.size, file.mtime_ns, file.ctime_ns, file.project, file.root_namespace


def _file(row: _Row, root: Path) -> SourceFile:
    path, size, mtime_ns, ctime_ns, project, root_namespace = row
    return SourceFile(path, str(root / path), size, mtime_ns, project, ctime_ns, root_namespace)


def only_database(paths: Iterable[str]) -> str | None:
    """Return the name of the database project when there is just one."""
    projects = databases(paths)
    return projects.pop() if len(projects) == 1 else None


def databases(paths: Iterable[str]) -> set[str]:
    """Return the names of the database projects."""
    return {Path(path).stem for path in paths if path.lower().endswith(".sqlproj")}
