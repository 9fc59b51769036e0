"""Read the files of a downloaded package without unpacking it to disk."""

from __future__ import annotations

import re
import tarfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path, PurePosixPath
from zlib import crc32

from ragduck.sources.decode import decode

LARGEST_ARCHIVE = 60_000_000  # bytes; of larger ones files are drawn
LARGEST_FILE = 400_000  # bytes; larger ones are bundles and tables
SUFFIXES = frozenset({".py", ".cs", ".ts", ".tsx", ".js", ".mjs", ".java", ".go", ".sql", ".md"})
MINIFIED = re.compile(
    r"\.min\.|[-.]bundle\.|/(?:dist|umd|esm5|fesm\d+|cjs|vendor|third_party|node_modules)/.*\.js$"
)


def files_of(
    archives: Iterable[Path], *, wanted: Callable[[str], bool] | None = None
) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files of some archives that may hold pairs, or of those wanted."""
    is_wanted = wanted or _may_hold_pairs
    for archive in archives:
        if archive.suffix in (".whl", ".zip"):
            yield from _decoded(_zip_members(archive, is_wanted))
        elif ".tar" in archive.name or archive.suffix == ".tgz":
            share = 1.0 if wanted else min(1.0, LARGEST_ARCHIVE / archive.stat().st_size)
            yield from _decoded(_tar_members(archive, is_wanted, share))


def _decoded(members: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, str]]:
    for path, data in members:
        text = decode(data)
        if text and text.strip():
            yield path, text


def _may_hold_pairs(path: str) -> bool:
    return PurePosixPath(path).suffix in SUFFIXES and not MINIFIED.search("/" + path)


def _zip_members(archive: Path, is_wanted: Callable[[str], bool]) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as file:
        for info in file.infolist():
            if not info.is_dir() and info.file_size <= LARGEST_FILE and is_wanted(info.filename):
                yield info.filename, file.read(info)


def _tar_members(
    archive: Path, is_wanted: Callable[[str], bool], share: float
) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive, mode="r|*") as file:
        for member in file:
            drawn = crc32(member.name.encode("utf-8", "replace")) / 2**32
            if member.isfile() and member.size <= LARGEST_FILE and drawn < share and is_wanted(member.name):
                opened = file.extractfile(member)
                if opened:
                    yield member.name, opened.read(LARGEST_FILE)
