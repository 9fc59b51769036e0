"""Turn parsed documents into Arrow tables with the columns of the work file."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragduck.model import Document, ParsedDocument, Snapshot
from ragduck.resources import sign_words

CHUNK_FIELDS = (
    "object_id", "text", "data_type", "file_type", "start_line", "end_line", "chunk_part", "chunk_total",
    "element_type", "element_name", "kind", "schema", "name", "db_key", "member", "cs_key", "member_kind",
    "visibility", "signature", "node_key", "importance_score", "content_hash", "embedding_text",
)  # fmt: skip
SMALL_INTEGERS = frozenset({"start_line", "end_line", "chunk_part", "chunk_total"})


def doc_id(snapshot: Snapshot, path: str) -> str:
    """Return the stable hash that names a file of a branch."""
    return hashlib.md5(
        "\x1f".join((snapshot.repo, snapshot.branch, path)).encode(), usedforsecurity=False
    ).hexdigest()


@dataclass(frozen=True, slots=True)
class DocumentRows:
    """Files and their chunks as rows of the work file; cheap to hand from process to process."""

    sources: pa.Table
    chunks: pa.Table

    @classmethod
    def concatenated(cls, parts: Sequence[DocumentRows]) -> DocumentRows:
        """Return the rows of all parts, in order."""
        return cls(
            pa.concat_tables([part.sources for part in parts]),
            pa.concat_tables([part.chunks for part in parts]),
        )


def document_rows(snapshot: Snapshot, parsed: Sequence[ParsedDocument]) -> DocumentRows:
    """Return the rows of parsed documents of one repository and branch."""
    created_at = datetime.now(UTC).replace(tzinfo=None)
    sources = [_source_row(snapshot, item.document, created_at) for item in parsed]
    return DocumentRows(
        sources=pa.Table.from_pylist(sources, schema=_SOURCE_SCHEMA), chunks=_chunk_table(snapshot, parsed)
    )


def _source_row(snapshot: Snapshot, document: Document, created_at: datetime) -> dict[str, Any]:
    return {
        "doc_id": doc_id(snapshot, document.path),
        "file_path": document.path,
        "file_name": PurePosixPath(document.path).name,
        "text": document.text,
        "created_at": created_at,
        "repo": snapshot.repo,
        "branch": snapshot.branch,
        "content_hash": hashlib.blake2b(document.text.encode(), digest_size=16).hexdigest(),
        "size": document.size,
        "mtime": datetime.fromtimestamp(document.mtime_ns / 1e9, UTC).replace(tzinfo=None),
        "language": document.language,
        "file_type": document.file_type,
        "file_class": document.file_class,
        "project": document.project,
    }


_SOURCE_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("doc_id", "file_path", "file_name", "text")]
    + [("created_at", pa.timestamp("us"))]
    + [(name, pa.string()) for name in ("repo", "branch", "content_hash")]
    + [("size", pa.int64()), ("mtime", pa.timestamp("us"))]
    + [(name, pa.string()) for name in ("language", "file_type", "file_class", "project")]
)


def _chunk_table(snapshot: Snapshot, parsed: Sequence[ParsedDocument]) -> pa.Table:
    pairs = [(item.document, chunk) for item in parsed for chunk in item.chunks]
    columns = {
        name: pa.array([getattr(chunk, name) for _, chunk in pairs], type=_type_of(name))
        for name in CHUNK_FIELDS
    }
    columns["class"] = pa.array([chunk.class_name for _, chunk in pairs], type=pa.string())
    of_file = {
        "doc_id": [doc_id(snapshot, document.path) for document, _ in pairs],
        "repo": [snapshot.repo] * len(pairs),
        "branch": [snapshot.branch] * len(pairs),
        "project": [document.project for document, _ in pairs],
        "file_class": [document.file_class for document, _ in pairs],
        "source_file": [document.path for document, _ in pairs],
    }
    columns.update({name: pa.array(values, type=pa.string()) for name, values in of_file.items()})
    return pa.table(columns)


def _type_of(name: str) -> pa.DataType:
    if name in SMALL_INTEGERS:
        return pa.int32()
    return pa.float64() if name == "importance_score" else pa.string()


def embedding_table(content_hashes: Sequence[str], vectors: NDArray[np.float32], *, model: str) -> pa.Table:
    """Return vectors, shape (rows, dimension), with the signs of their components packed into words."""
    rows, dimension = vectors.shape
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    words = pack_signs(vectors)
    signs = {f"sign_{word}": pa.array(words[:, word]) for word in range(words.shape[1])}
    columns = {"model": pa.array([model] * rows), "content_hash": pa.array(content_hashes, type=pa.string())}
    return pa.table({**columns, **signs, "embedding": pa.FixedSizeListArray.from_arrays(flat, dimension)})


def pack_signs(vectors: NDArray[np.float32]) -> NDArray[np.int64]:
    """Pack which components are positive, 64 to a word, first component in the lowest bit.

    Takes shape (rows, dimension), returns shape (rows, ceil(dimension / 64)).
    """
    rows, dimension = vectors.shape
    width = sign_words(dimension) * 64
    positive = np.zeros((rows, width), dtype=np.bool_)
    positive[:, :dimension] = vectors > 0
    return np.packbits(positive, axis=1, bitorder="little").view("<i8").astype(np.int64)
