"""Name a file's parse by all that it depends on: text, path, settings, and the code that parses."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple

from ragduck.model import Document, FileClass, SeenFile
from ragduck.resources import PACKAGE
from ragduck.store.identity import text_hash

CODE = (
    "facts", "model.py", "parse", "parse_cache", "resources.py", "sources", "sqlreader", "store/arrow.py",
    "store/identity.py",
)  # fmt: skip
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


class Content(NamedTuple):
    """All of a document that its parse depends on: everything but its time and its size on disk."""

    path: str
    language: str
    file_type: str
    file_class: FileClass
    project: str | None
    root_namespace: str
    text_hash: str


def content_of(file: Document | SeenFile) -> Content:
    """Return what the parse of a file depends on."""
    named = file.text_hash if isinstance(file, SeenFile) else text_hash(file.text)
    return Content(
        file.path, file.language, file.file_type, file.file_class, file.project, file.root_namespace, named
    )


def key_of(content: Content, *, settings: str, parser: bytes) -> bytes:
    """Hash what a parse depends on; ``settings`` are those of chunks, written out."""
    return hashlib.blake2b(repr((*content, settings)).encode(), digest_size=20, key=parser).digest()


def parser_fingerprint() -> bytes | None:
    """Hash the code that reads and parses, and the releases of its libraries; None where it cannot be read."""
    return code_fingerprint(CODE, libraries=LIBRARIES)


@cache
def code_fingerprint(names: tuple[str, ...], *, libraries: tuple[str, ...]) -> bytes | None:
    """Hash modules and folders of this package, and releases of libraries; None where the code cannot be read."""
    digest = hashlib.blake2b(digest_size=32)
    files = [file for name in names for file in _modules(PACKAGE / name)]
    if not files:
        return None
    releases = [(name, _release(name)) for name in libraries]
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
