"""Open what a bundle lies in, a zip or a folder, and refuse entries that would harm."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Protocol

from ragduck.errors import SourceError
from ragduck.imports.roslyn.ledger import Ledger, shown

MAX_ENTRIES = 500_000
MAX_ENTRY_BYTES = 1 << 30
MAX_TOTAL_BYTES = 4 << 30
HARMLESS_BYTES = 64 << 20  # whatever its ratio, this much fits into memory
MAX_RATIO = 250  # JSON of code is packed 5 to 30 times; a bomb 1000 times
MAX_NAME = 1000  # characters
DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError, ValueError)
_ENCRYPTED = 0x1
_DRIVE = re.compile(r"[A-Za-z]:")
_BLOCK = 1 << 20


class BundleFiles(Protocol):
    """The files of a zip or folder, by names with forward slashes."""

    def names(self) -> Collection[str]:
        """Return what can be opened."""

    def open(self, name: str) -> IO[bytes]:
        """Open one file; reading may raise what DAMAGED lists."""

    def fingerprint(self, names: Iterable[str]) -> str:
        """Return a hash that changes with the content of these files."""


class FolderFiles:
    """The files of an unpacked bundle: only those that a bundle has, and no links."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files = dict(_walk(root))

    def names(self) -> Collection[str]:
        """Return the paths below the folder."""
        return self._files.keys()

    def open(self, name: str) -> IO[bytes]:
        """Open a file, unless it has become a link or grown beyond measure."""
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
        file = os.fdopen(os.open(self._files[name], flags), "rb")
        if os.fstat(file.fileno()).st_size > MAX_ENTRY_BYTES:
            file.close()
            raise OSError(f"it has more than {MAX_ENTRY_BYTES >> 20} MB")
        return file

    def fingerprint(self, names: Iterable[str]) -> str:
        """Hash the files: their times change when a bundle is unpacked anew."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(names):
            digest.update(f"{name}\0".encode("utf-8", "replace"))
            try:
                with self.open(name) as file:
                    while block := file.read(_BLOCK):
                        digest.update(block)
            except DAMAGED as error:
                digest.update(type(error).__name__.encode())
        return digest.hexdigest()


_DEPTH = 4  # sql_code_bundle/docs/bodies/x.sql
_FOLDERS = frozenset({"regular_code_bundle", "code", "sql_code_bundle", "sql_bundle", "docs", "graph"})


def _walk(folder: Path, *, depth: int = 0, prefix: str = "") -> Iterator[tuple[str, Path]]:
    """Yield the regular files of the folders that a bundle may have."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        return
    for entry in entries:
        mode = entry.lstat().st_mode
        if stat.S_ISDIR(mode) and depth < _DEPTH and (depth or entry.name in _FOLDERS):
            yield from _walk(entry, depth=depth + 1, prefix=f"{prefix}{entry.name}/")
        elif stat.S_ISREG(mode):
            yield prefix + entry.name, entry


class ZipFiles:
    """The entries of a zip that are fit to be read; the ledger is told of the others."""

    def __init__(self, archive: zipfile.ZipFile, *, label: str, ledger: Ledger) -> None:
        self._archive = archive
        self._entries = _fit_entries(archive, label=label, ledger=ledger)

    def names(self) -> Collection[str]:
        """Return the names of the entries."""
        return self._entries.keys()

    def open(self, name: str) -> IO[bytes]:
        """Open an entry; no more is unpacked than it declares."""
        return self._archive.open(self._entries[name])

    def fingerprint(self, names: Iterable[str]) -> str:
        """Hash names, sizes and checksums as the directory of the zip has them."""
        digest = hashlib.blake2b(digest_size=16)
        for name in sorted(names):
            entry = self._entries[name]
            digest.update(f"{name}\0{entry.file_size}\0{entry.CRC}\0".encode("utf-8", "replace"))
        return digest.hexdigest()


@contextmanager
def opened_zip(file: Path | IO[bytes], *, label: str, ledger: Ledger) -> Iterator[ZipFiles]:
    """Open a zip; raise SourceError for one that is damaged or a bomb."""
    try:
        archive = zipfile.ZipFile(file)
    except DAMAGED as error:
        raise SourceError(
            f"{label} cannot be read as a zip: {shown(str(error))}", hint="copy or download it again"
        ) from error
    with archive:
        yield ZipFiles(archive, label=label, ledger=ledger)


def _fit_entries(archive: zipfile.ZipFile, *, label: str, ledger: Ledger) -> Mapping[str, zipfile.ZipInfo]:
    infos = archive.infolist()
    if len(infos) > MAX_ENTRIES:
        raise SourceError(
            f"{label} has {len(infos):,} entries, more than {MAX_ENTRIES:,}",
            hint="unpack it where that is safe and name the folder",
        )
    fit: dict[str, zipfile.ZipInfo] = {}
    total = 0
    for info in infos:
        name = info.filename.replace("\\", "/")
        if name.endswith("/"):
            continue
        reason = _harm(name, info) or ("duplicate entry" if name in fit else "")
        if reason:
            ledger.left_out(reason, label, field=name[:MAX_NAME])
            continue
        fit[name] = info
        total += info.file_size
    if total > MAX_TOTAL_BYTES:
        raise SourceError(
            f"{label} would unpack to {total >> 20:,} MB, more than {MAX_TOTAL_BYTES >> 20:,} MB",
            hint="check where it comes from; unpack it where that is safe and name the folder",
        )
    return fit


def _harm(name: str, info: zipfile.ZipInfo) -> str:
    """Say why an entry is not read; empty for one that is fine."""
    if name.startswith("/") or _DRIVE.match(name):
        return "absolute path"
    if ".." in name.split("/"):
        return "path leaves the bundle"
    if len(name) > MAX_NAME or any(ord(character) < 32 for character in name):
        return "unusable name"
    if stat.S_ISLNK(info.external_attr >> 16):
        return "symbolic link"
    if info.flag_bits & _ENCRYPTED:
        return "encrypted entry"
    is_bomb = info.file_size > HARMLESS_BYTES and info.file_size > MAX_RATIO * max(info.compress_size, 1)
    return "zip bomb" if is_bomb or info.file_size > MAX_ENTRY_BYTES else ""
