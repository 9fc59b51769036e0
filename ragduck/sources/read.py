"""Read a file that the walk found into a document."""

from __future__ import annotations

import re

from ragduck.model import TOO_LARGE, UNREADABLE, Document, SkippedFile, SourceFile
from ragduck.sources.classification import classify
from ragduck.sources.decode import WINDOWS_1252, decode
from ragduck.sources.regular_file import read_regular_file

_GROWTH_LIMIT = 2_000_000  # what a file may have grown to since the walk saw its size
_MINIFIED_CHARACTERS = 4_096
_PRIVATE_KEY = re.compile(r"^-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----", re.MULTILINE)
_POINTER = "version https://git-lfs.github.com/spec/v1\n"  # what git keeps in place of a file that LFS has
_WEB_LANGUAGES = frozenset(("javascript", "typescript", "tsx", "css", "html", "vue", "svelte", "json", "xml"))
_LONG_WEB_LINE = 500
_LONG_LINE = 20_000  # beyond any statement a person wrote: dumps and encoded blobs


def read_document(file: SourceFile, *, code_page: str = WINDOWS_1252) -> Document | SkippedFile:
    """Decode and classify a file, or tell why it is none to index.

    What is neither UTF-8 nor UTF-16 is decoded by the ``code_page``, a name that Python knows.
    """
    limit = max(file.size, _GROWTH_LIMIT)
    try:
        content = read_regular_file(file.absolute_path, limit=limit + 1)
    except OSError as error:
        return SkippedFile(file.path, UNREADABLE, error.strerror or str(error))
    if len(content.data) > limit:
        return SkippedFile(file.path, TOO_LARGE, f"more than {limit} bytes")
    decoded = decode(content.data, code_page=code_page)
    if decoded is None:
        return SkippedFile(file.path, "binary")
    text = decoded.text
    if not text.strip():
        return SkippedFile(file.path, "empty")
    if text.startswith(_POINTER):
        return SkippedFile(file.path, "git-lfs pointer")
    if _PRIVATE_KEY.search(text):
        return SkippedFile(file.path, "secret", "holds a private key")
    kind = classify(file.path, text)
    if _is_minified(text, language=kind.language):
        return SkippedFile(file.path, "minified")
    return Document(
        path=file.path,
        text=text,
        language=kind.language,
        file_type=kind.file_type,
        file_class="migration" if file.is_in_series else kind.file_class,
        size=len(content.data),
        mtime_ns=content.mtime_ns,
        project=file.project,
        code_page=decoded.code_page,
        root_namespace=file.root_namespace,
    )


def _is_minified(text: str, *, language: str) -> bool:
    """Judge by the mean line length, as one long line among many is no machine's work."""
    if len(text) < _MINIFIED_CHARACTERS:
        return False
    mean = len(text) / (text.count("\n") + 1)
    return mean > (_LONG_WEB_LINE if language in _WEB_LANGUAGES else _LONG_LINE)
