"""Read the historic unified index back, made by ragduck or by the systems it comes from.

Vectors are read without faiss: a flat index is a header and numbers, and no file has to be trusted for that.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.errors import SourceError
from ragduck.mirror.manifest import MirrorRefusedError, describe_file, regular_size
from ragduck.mirror.unified_files import (
    ARRAYS,
    INDEX,
    MANIFEST,
    METADATA,
    TERMS_FORMAT,
    TERMS_META,
    TOKENIZER,
    VOCABULARY,
    TermCounts,
    array_file,
)
from ragduck.untrusted_json import read_json

HINT = "make it again with: ragduck export unified STORE FOLDER"
HEADER = struct.Struct(
    "<4siqqqBiQ"
)  # name, dimension, rows, two unused, trained, metric, numbers that follow
FLAT_INNER_PRODUCT = b"IxFI"


@dataclass(frozen=True, slots=True)
class Unified:
    """A unified index in memory; ``vectors``, shape (rows, dimension), are mapped from the file.

    ``terms`` is None where the folder has no term counts, ``manifest`` is empty where it has none.
    """

    rows: tuple[Mapping[str, Any], ...]
    vectors: NDArray[np.float32]
    terms: TermCounts | None
    manifest: Mapping[str, Any]


def read_unified(folder: str | Path) -> Unified:
    """Return rows, vectors and term counts of a unified index.

    Raises SourceError when a file is missing, is a link, differs from the hash that the manifest tells, or does not
    fit the others: the same number of rows in all, and no number that points outside them.
    """
    place = Path(folder)
    try:
        manifest = _manifest(place)
        vectors = _vectors(place)
        rows = _rows(place)
        if len(rows) != len(vectors):
            raise MirrorRefusedError(f"{INDEX} has {len(vectors):,} rows, {METADATA} {len(rows):,}")
        terms = _terms(place, len(rows)) if (place / TERMS_META).exists() else None
    except MirrorRefusedError as error:
        raise SourceError(f"{place} is no unified index that can be read: {error}", hint=HINT) from error
    except OSError as error:
        raise SourceError(f"{place} cannot be read: {error.strerror}", hint=HINT) from error
    return Unified(rows, vectors, terms, manifest)


def _manifest(folder: Path) -> dict[str, Any]:
    """Return the manifest, if there is one, after comparing the hashes that it tells."""
    if not (folder / MANIFEST).exists():
        return {}
    manifest = _json(folder / MANIFEST)
    if not isinstance(manifest, dict):
        raise MirrorRefusedError(f"{MANIFEST} is no object")
    artifacts = manifest.get("artifacts")
    known = {INDEX, METADATA, VOCABULARY, TERMS_META, *(array_file(name) for name in ARRAYS)}
    for name, told in artifacts.items() if isinstance(artifacts, dict) else ():
        if name in known and isinstance(told, dict) and "sha256" in told:
            regular_size(folder / name)
            if describe_file(folder / name).sha256 != told["sha256"]:
                raise MirrorRefusedError(f"{name} is not the file that was exported: its sha256 differs")
    return manifest


def _vectors(folder: Path) -> NDArray[np.float32]:
    path = folder / INDEX
    size = regular_size(path)
    with path.open("rb") as file:
        start = file.read(HEADER.size)
    if len(start) < HEADER.size or start[:4] != FLAT_INNER_PRODUCT:
        raise MirrorRefusedError(f"{INDEX} is no flat index of inner products")
    _, dimension, rows, _, _, _, _, numbers = HEADER.unpack(start)
    if dimension < 1 or rows < 1 or numbers != rows * dimension or size != HEADER.size + 4 * numbers:
        raise MirrorRefusedError(f"{INDEX} has not the size that its header says")
    return np.memmap(path, dtype="<f4", mode="r", offset=HEADER.size, shape=(rows, dimension))


def _rows(folder: Path) -> tuple[Mapping[str, Any], ...]:
    rows = _json(folder / METADATA)
    if not isinstance(rows, list):
        raise MirrorRefusedError(f"{METADATA} is no list")
    return tuple(row if isinstance(row, dict) else {} for row in rows)


def _terms(folder: Path, rows: int) -> TermCounts:
    meta = _json(folder / TERMS_META)
    if not isinstance(meta, dict) or (meta.get("format"), meta.get("tokenizer")) != (TERMS_FORMAT, TOKENIZER):
        raise MirrorRefusedError(f"{TERMS_META} tells of another format or tokenizer")
    vocabulary = _json(folder / VOCABULARY)
    if not isinstance(vocabulary, dict):
        raise MirrorRefusedError(f"{VOCABULARY} is no object")
    arrays = {name: _array(folder / array_file(name), kind) for name, kind in ARRAYS.items()}
    terms = TermCounts(vocabulary=vocabulary, **arrays)
    _require_fit(terms, rows)
    return terms


def _array(path: Path, kind: Any) -> NDArray[Any]:
    regular_size(path)
    try:
        values = np.lib.format.open_memmap(path, mode="r")
    except ValueError as error:
        raise MirrorRefusedError(f"{path.name} is no array") from error
    if values.dtype != kind or values.ndim != 1:
        raise MirrorRefusedError(f"{path.name} holds {values.dtype}, not {np.dtype(kind)}")
    return values


def _require_fit(terms: TermCounts, rows: int) -> None:
    numbers = list(terms.vocabulary.values())
    words, offsets = len(numbers), terms.offsets
    checks = {
        VOCABULARY: all(type(number) is int for number in numbers) and sorted(numbers) == list(range(words)),
        array_file("offsets"): len(offsets) == words + 1
        and offsets[0] == 0
        and offsets[-1] == len(terms.doc_ids)
        and bool((np.diff(offsets) >= 0).all()),
        array_file("doc_ids"): _within(terms.doc_ids, 0, rows - 1),
        array_file("tfs"): len(terms.tfs) == len(terms.doc_ids) and _within(terms.tfs, 1, None),
        array_file("df"): len(terms.df) == words and np.array_equal(terms.df, np.diff(offsets)),
        array_file("doc_len"): len(terms.doc_len) == rows and _within(terms.doc_len, 0, None),
    }
    for name, holds in checks.items():
        if not holds:
            raise MirrorRefusedError(f"{name} does not fit the other files")


def _within(values: NDArray[Any], low: int, high: int | None) -> bool:
    if not len(values):
        return True
    return int(values.min()) >= low and (high is None or int(values.max()) <= high)


def _json(path: Path) -> Any:
    regular_size(path)
    try:
        return read_json(path.read_bytes())
    except ValueError as error:
        raise MirrorRefusedError(f"{path.name} is no JSON") from error
