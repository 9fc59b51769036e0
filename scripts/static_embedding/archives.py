"""Read the files of a downloaded package without unpacking it to disk, and find its licence."""

from __future__ import annotations

import json
import re
import tarfile
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from zlib import crc32

from ragduck.sources.decode import decode

LARGEST_ARCHIVE = 20_000_000  # bytes; of larger ones files are drawn
LARGEST_FILE = 400_000  # bytes; larger ones are bundles and tables
SUFFIXES = frozenset({".py", ".cs", ".ts", ".tsx", ".js", ".mjs", ".java", ".go", ".sql", ".md"})
LICENCE_FILES = frozenset({"METADATA", "PKG-INFO", "package.json", "copyright"})
MINIFIED = re.compile(
    r"\.min\.|[-.]bundle\.|/(?:dist|umd|esm5|fesm\d+|cjs|vendor|third_party|node_modules)/.*\.js$"
)
LICENCE_LINE = re.compile(
    r"^(?:License-Expression: |Classifier: License :: (?:OSI Approved :: )?|License: )([^\n]{2,60})",
    re.MULTILINE,
)


def files_of(archives: Iterable[Path]) -> Iterator[tuple[str, str]]:
    """Yield path and text of the files of some archives that may hold pairs, and of licence files."""
    for archive in archives:
        if archive.suffix in (".whl", ".zip"):
            yield from _decoded(_zip_members(archive))
        elif ".tar" in archive.name or archive.suffix == ".tgz":
            yield from _decoded(_tar_members(archive))


def _decoded(members: Iterator[tuple[str, bytes]]) -> Iterator[tuple[str, str]]:
    for path, data in members:
        text = decode(data)
        if text and text.strip():
            yield path, text


def _is_wanted(path: str, size: int) -> bool:
    name = PurePosixPath(path)
    if size > LARGEST_FILE or MINIFIED.search("/" + path):
        return False
    return name.suffix in SUFFIXES or name.name in LICENCE_FILES


def _zip_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(archive) as file:
        for info in file.infolist():
            if not info.is_dir() and _is_wanted(info.filename, info.file_size):
                yield info.filename, file.read(info)


def _tar_members(archive: Path) -> Iterator[tuple[str, bytes]]:
    share = min(1.0, LARGEST_ARCHIVE / archive.stat().st_size)
    with tarfile.open(archive, mode="r|*") as file:
        for member in file:
            drawn = crc32(member.name.encode("utf-8", "replace")) / 2**32
            if member.isfile() and _is_wanted(member.name, member.size) and drawn < share:
                opened = file.extractfile(member)
                if opened:
                    yield member.name, opened.read(LARGEST_FILE)


def licence_in(path: str, text: str) -> str | None:
    """Return the licence that a metadata file names: its first, for Debian's files name one for each part."""
    name = PurePosixPath(path).name
    if name == "package.json":
        try:
            licence = json.loads(text).get("license")
        except (ValueError, AttributeError):
            return None
        return licence[:60] if isinstance(licence, str) else None
    if name not in LICENCE_FILES:
        return None
    found = LICENCE_LINE.search(text)
    return found[1].strip() if found else None
