"""Name a file's parse by all that it depends on: text, path, settings, and the code that parses."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from dataclasses import astuple
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from ragduck.model import Document
from ragduck.parse import ChunkSettings
from ragduck.resources import PACKAGE

CODE = ("facts", "model.py", "parse", "parse_cache", "resources.py", "sqlreader", "store/arrow.py")
LIBRARIES = (
    "pyarrow",
    "sqlglot",
    "tree-sitter",
    "tree-sitter-c-sharp",
    "tree-sitter-go",
    "tree-sitter-java",
    "tree-sitter-javascript",
    "tree-sitter-python",
    "tree-sitter-typescript",
)


def key_of(document: Document, *, settings: ChunkSettings, parser: bytes) -> bytes:
    """Hash what the parse of a document depends on: everything but its time and its size on disk."""
    named = (
        document.path, document.language, document.file_type, document.file_class, document.project,
        astuple(settings),
    )  # fmt: skip
    digest = hashlib.blake2b(repr(named).encode(), digest_size=20, key=parser)
    digest.update(b"\0")
    digest.update(document.text.encode("utf-8", errors="surrogatepass"))
    return digest.digest()


@cache
def parser_fingerprint() -> bytes | None:
    """Hash the code that parses in this process, and the releases of its libraries; None where it cannot be read."""
    digest = hashlib.blake2b(digest_size=32)
    files = [file for name in CODE for file in _modules(PACKAGE / name)]
    if not files:
        return None
    releases = [(name, _release(name)) for name in LIBRARIES]
    digest.update(repr((sys.version_info, releases)).encode())
    try:
        for file in files:
            content = file.read_bytes()
            digest.update(repr((file.relative_to(PACKAGE).as_posix(), len(content))).encode() + content)
    except OSError:
        return None
    return digest.digest()


def _modules(path: Path) -> Iterator[Path]:
    if path.is_file():
        yield path
    else:
        yield from sorted(path.rglob("*.py"))


def _release(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
