"""Unpack the files of a git revision into a private folder, where the ordinary walk finds them.

Nothing is checked out: no filter, attribute or hook takes part, no link is made, and a name that could lead out of
the folder is left out. What is not written has an empty file in its place, so that the walk judges it by its name and
the patterns that were given like any other.
"""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, NoReturn

from ragduck.errors import SourceError
from ragduck.model import TOO_LARGE, SkippedFile, SourceFile
from ragduck.sources.git import start_git
from ragduck.sources.project import may_name_project
from ragduck.sources.revision import Revision
from ragduck.sources.unwanted import unwanted_file
from ragduck.sources.walk import MAX_FILE_BYTES, walk_files

MAX_ENTRIES = 1_000_000  # a tree that holds itself many times over lists more in a few kilobytes
MAX_LISTING_BYTES = 500_000_000
MAX_TOTAL_BYTES = 20_000_000_000
_READ_BYTES = 1 << 16
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_MACHINE_ERRORS = frozenset((errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EIO, errno.EMFILE))
_LINK, _SUBMODULE = "120000", "160000"


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of the listing; ``size`` is None for a submodule, and for a file that the clone does not have."""

    path: str
    mode: str
    sha: str
    size: int | None


def walk_revision(
    revision: Revision,
    folder: Path,
    *,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_bytes: int = MAX_FILE_BYTES,
) -> Iterator[SourceFile | SkippedFile]:
    """Unpack a revision into the empty ``folder`` and yield its files as `walk_files` does.

    All files are tracked, so no `.gitignore` leaves any out. Links, submodules, files that are too large and files
    that a partial clone lacks are skipped, each with its reason. The time of every file is that of the commit.
    Raises `SourceError` when git cannot read the revision.
    """
    left_out, lost = _unpack(revision, folder, max_bytes=max_bytes)
    yield from lost
    root = folder / revision.prefix
    if not root.is_dir():
        raise SourceError(
            f"revision {revision.name} has no folder {revision.prefix.rstrip('/')}",
            hint="name the top of the checkout, or another revision",
        )
    found = walk_files(root, include=include, exclude=exclude, max_bytes=max_bytes, unpacked=folder)
    for item in found:
        yield left_out.get(item.path, item) if isinstance(item, SourceFile) else item


def _unpack(
    revision: Revision, folder: Path, *, max_bytes: int
) -> tuple[dict[str, SkippedFile], list[SkippedFile]]:
    """Write the files; return by path what has an empty file in its place, and what has no place at all."""
    left_out: dict[str, SkippedFile] = {}
    lost: list[SkippedFile] = []
    wanted: list[_Entry] = []
    folders: set[str] = set()
    for entry in _entries(revision):
        path = entry.path[len(revision.prefix) :]
        is_inside = entry.path.startswith(revision.prefix)
        reason, detail = _reason(entry, max_bytes=max_bytes)
        unsafe = _unsafe(entry.path)
        if unsafe or not _take_place(entry.path, folder, folders=folders):
            lost += [SkippedFile(_printable(path), unsafe or "no file of this name can be made")][:is_inside]
        elif reason and is_inside:
            left_out[path] = SkippedFile(_printable(path), reason, detail)
        elif not reason and not unwanted_file(entry.path.rpartition("/")[2]):
            wanted.append(entry)
    _require_room(wanted, revision)
    for entry, data in _contents(revision, wanted):
        if data is not None:
            _write(folder / entry.path, data, at=revision.committed_at)
        elif entry.path.startswith(revision.prefix):
            path = entry.path[len(revision.prefix) :]
            left_out[path] = SkippedFile(_printable(path), "not in this clone")
    return left_out, lost


def _reason(entry: _Entry, *, max_bytes: int) -> tuple[str, str]:
    if entry.mode == _LINK:
        return "symlink", ""
    if entry.mode == _SUBMODULE:
        return "submodule", ""
    if entry.size is None:
        return "not in this clone", ""
    return (TOO_LARGE, f"{entry.size} bytes") if entry.size > max_bytes else ("", "")


def _unsafe(path: str) -> str:
    """Return why a path must not be made: git itself writes no such tree, but a hostile one may hold anything."""
    for name in path.split("/"):
        if name.lower() == ".git":
            return "version control"
        if name in ("", ".", "..") or (os.altsep and "\\" in name):
            return "name leads elsewhere"
    return ""


def _take_place(path: str, folder: Path, *, folders: set[str]) -> bool:
    """Make an empty file; names that the file system takes for the same, or refuses, have no place."""
    parent = path.rpartition("/")[0]
    try:
        if parent not in folders:
            (folder / parent).mkdir(parents=True, exist_ok=True)
            folders.add(parent)
        os.close(os.open(folder / path, _NEW_FILE, 0o600))
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in _MACHINE_ERRORS:
            raise
        return False
    return True


def _write(path: Path, data: bytes, *, at: int) -> None:
    with path.open("r+b") as file:
        file.write(data)
    os.utime(path, (at, at))


def _require_room(wanted: Sequence[_Entry], revision: Revision) -> None:
    total = sum(entry.size or 0 for entry in wanted)
    if total > MAX_TOTAL_BYTES:
        raise SourceError(
            f"revision {revision.name} holds {total:,} bytes of files; {MAX_TOTAL_BYTES:,} are the limit",
            hint="prepare folders of it one by one, or set a smaller --max-file-size",
        )


def _entries(revision: Revision) -> Iterator[_Entry]:
    """Yield the files below the folder asked for, and above it those that may name its project."""
    above = {revision.prefix[: end + 1] for end, letter in enumerate(revision.prefix) if letter == "/"} | {""}
    arguments = ("ls-tree", "-r", "-l", "-z", "--full-tree", revision.commit_sha)
    with TemporaryFile() as nothing, _running(revision, *arguments, stdin=nothing) as output:
        for count, record in enumerate(_records(output, revision)):
            if count >= MAX_ENTRIES:
                _refuse_size(revision)
            entry = _entry(record)
            parent, _, name = entry.path.rpartition("/")
            is_above = may_name_project(name) and (f"{parent}/" if parent else "") in above
            if entry.path.startswith(revision.prefix) or is_above:
                yield entry


def _records(output: IO[bytes], revision: Revision) -> Iterator[bytes]:
    rest, total = b"", 0
    while block := output.read(_READ_BYTES):
        total += len(block)
        if total > MAX_LISTING_BYTES:
            _refuse_size(revision)
        *records, rest = (rest + block).split(b"\0")
        yield from records


def _refuse_size(revision: Revision) -> NoReturn:
    raise SourceError(
        f"revision {revision.name} lists more than {MAX_ENTRIES:,} files",
        hint="prepare a checkout of what you need",
    )


def _entry(record: bytes) -> _Entry:
    described, _, path = record.partition(b"\t")
    mode, _, sha, size = described.decode().split()
    return _Entry(os.fsdecode(path), mode, sha, int(size) if size.isdigit() else None)


def _contents(revision: Revision, entries: Sequence[_Entry]) -> Iterator[tuple[_Entry, bytes | None]]:
    """Yield the bytes of each file, from one git that reads what is wanted from a list; None for what is missing."""
    with TemporaryFile() as wanted:
        wanted.writelines(f"{entry.sha}\n".encode() for entry in entries)
        wanted.seek(0)
        with _running(revision, "cat-file", "--batch", "--buffer", stdin=wanted) as output:
            for entry in entries:
                yield entry, _content(output, entry, revision)


def _content(output: IO[bytes], entry: _Entry, revision: Revision) -> bytes | None:
    header = output.readline(_READ_BYTES).split()
    if len(header) == 2 and header[1] == b"missing":
        return None
    if header[1:] != [b"blob", str(entry.size).encode()]:
        raise _unreadable(revision, f"{_printable(entry.path)} is damaged")
    data = output.read(entry.size or 0)
    if len(data) != entry.size or output.read(1) != b"\n":
        raise _unreadable(revision, f"{_printable(entry.path)} ends early")
    return data


@contextmanager
def _running(revision: Revision, *arguments: str, stdin: IO[bytes]) -> Iterator[IO[bytes]]:
    """Run git while its output is read; an end with an error is a `SourceError`."""
    with TemporaryFile() as complaints:
        process = start_git(revision.checkout, *arguments, stdin=stdin, stderr=complaints)
        if process is None or process.stdout is None:
            raise SourceError(f"revision {revision.name} cannot be read without git", hint="install git")
        try:
            with process.stdout as output:
                yield output
            code = process.wait()
        except BaseException:
            _end(process)
            raise
        if code != 0:
            complaints.seek(0)
            raise _unreadable(revision, complaints.readline(_READ_BYTES).decode(errors="replace").strip())


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def _unreadable(revision: Revision, reason: str) -> SourceError:
    return SourceError(
        f"git cannot read revision {revision.name}: {reason}",
        hint="a partial or shallow clone lacks old files: check it out, or clone it whole",
    )


def _printable(path: str) -> str:
    return path.encode("utf-8", errors="backslashreplace").decode("utf-8")
