"""Turn parsed documents, graphs and vectors into Arrow tables with the columns of the work file."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ragduck.edge_table import NUMBERS, WORDS, EdgeTable
from ragduck.model import Chunk, Document, Graph, ParsedDocument, SeenFile, Snapshot
from ragduck.node_table import NodeTable
from ragduck.resources import SIGN_WORD, sign_words
from ragduck.store.identity import stored_time, text_hash

CHUNK_FIELDS = (
    "object_id", "text", "data_type", "file_type", "start_line", "end_line", "chunk_part", "chunk_total",
    "element_type", "element_name", "kind", "schema", "name", "db_key", "member", "cs_key", "member_kind",
    "visibility", "signature", "node_key", "importance_score", "content_hash", "embedding_text", "class_name",
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


@dataclass(frozen=True, slots=True)
class GraphRows:
    """Nodes and edges as rows of the work file; cheap to hand from process to process."""

    nodes: pa.Table
    edges: pa.Table


def document_rows(snapshot: Snapshot, parsed: Sequence[ParsedDocument]) -> DocumentRows:
    """Return the rows of parsed documents of one repository and branch."""
    chunks = chunk_batch([chunk for item in parsed for chunk in item.chunks])
    counted = [(item.document, len(item.chunks)) for item in parsed]
    return _rows(snapshot, counted, pa.Table.from_batches([chunks]))


def file_rows(snapshot: Snapshot, files: Sequence[tuple[Document, pa.RecordBatch]]) -> DocumentRows:
    """Return the rows of documents, each with what `chunk_batch` gave for its chunks."""
    counted = [(document, batch.num_rows) for document, batch in files]
    return _rows(snapshot, counted, pa.Table.from_batches([batch for _, batch in files], schema=CHUNK_SCHEMA))


def known_rows(
    snapshot: Snapshot, counted: Sequence[tuple[SeenFile, int]], chunks: pa.RecordBatch
) -> DocumentRows:
    """Return the rows of files with the number of their chunks, which come in the same order.

    The store holds the texts of these files: their rows are without.
    """
    created_at = datetime.now(UTC).replace(tzinfo=None)
    sources = [
        _source_row(snapshot, file, created_at) | {"content_hash": file.text_hash} for file, _ in counted
    ]
    schema = _SOURCE_SCHEMA.remove(_SOURCE_SCHEMA.get_field_index("text"))
    return DocumentRows(
        pa.Table.from_pylist(sources, schema=schema),
        _chunk_table(snapshot, counted, pa.Table.from_batches([chunks])),
    )


def joined_batches(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    """Return the rows of batches that `chunk_batch` gave as one."""
    together = pa.Table.from_batches(batches, schema=CHUNK_SCHEMA).combine_chunks().to_batches()
    return together[0] if together else chunk_batch([])


def _rows(snapshot: Snapshot, counted: Sequence[tuple[Document, int]], chunks: pa.Table) -> DocumentRows:
    """Return the rows of documents with the number of their chunks, which come in the same order."""
    created_at = datetime.now(UTC).replace(tzinfo=None)
    sources = [
        _source_row(snapshot, document, created_at)
        | {"text": document.text, "content_hash": text_hash(document.text)}
        for document, _ in counted
    ]
    return DocumentRows(
        sources=pa.Table.from_pylist(sources, schema=_SOURCE_SCHEMA),
        chunks=_chunk_table(snapshot, counted, chunks),
    )


def chunk_batch(chunks: Sequence[Chunk]) -> pa.RecordBatch:
    """Return what chunks say, without what their file and its snapshot say; the schema is CHUNK_SCHEMA."""
    arrays = [
        pa.array([getattr(chunk, name) for chunk in chunks], type=_type_of(name)) for name in CHUNK_FIELDS
    ]
    return pa.RecordBatch.from_arrays(arrays, schema=CHUNK_SCHEMA)


def _source_row(snapshot: Snapshot, file: Document | SeenFile, created_at: datetime) -> dict[str, Any]:
    """Return a file's row without its text and the hash of that."""
    return {
        "doc_id": doc_id(snapshot, file.path),
        "file_path": file.path,
        "file_name": file.path.rpartition("/")[2],
        "created_at": created_at,
        "repo": snapshot.repo,
        "branch": snapshot.branch,
        "size": file.size,
        "mtime": stored_time(file.mtime_ns),
        "language": file.language,
        "file_type": file.file_type,
        "file_class": file.file_class,
        "project": file.project,
    }


_SOURCE_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("doc_id", "file_path", "file_name", "text")]
    + [("created_at", pa.timestamp("us"))]
    + [(name, pa.string()) for name in ("repo", "branch", "content_hash")]
    + [("size", pa.int64()), ("mtime", pa.timestamp("us"))]
    + [(name, pa.string()) for name in ("language", "file_type", "file_class", "project")]
)


def _chunk_table(
    snapshot: Snapshot, counted: Sequence[tuple[Document | SeenFile, int]], chunks: pa.Table
) -> pa.Table:
    columns = dict(zip(CHUNK_FIELDS, chunks.combine_chunks().columns, strict=True))
    columns["class"] = columns.pop("class_name")
    of_file = {
        "doc_id": [doc_id(snapshot, document.path) for document, _ in counted],
        "repo": [snapshot.repo] * len(counted),
        "branch": [snapshot.branch] * len(counted),
        "project": [document.project for document, _ in counted],
        "file_class": [document.file_class for document, _ in counted],
        "source_file": [document.path for document, _ in counted],
    }
    places = np.repeat(np.arange(len(counted)), [count for _, count in counted])
    for name, values in of_file.items():
        columns[name] = pa.array(values, type=pa.string()).take(pa.array(places))
    return pa.table(columns)


def _type_of(name: str) -> pa.DataType:
    if name in SMALL_INTEGERS:
        return pa.int32()
    return pa.float64() if name == "importance_score" else pa.string()


CHUNK_SCHEMA = pa.schema([(name, _type_of(name)) for name in CHUNK_FIELDS])


def graph_rows(snapshot: Snapshot, graph: Graph) -> GraphRows:
    """Return the rows of the graph of one repository and branch."""
    nodes = NodeTable.of(graph.nodes).columns.combine_chunks()
    table = EdgeTable.of(graph.edges)
    edges: dict[str, pa.Array] = {"confidence": pa.array(table.confidences)}
    for name, numbers in zip(NUMBERS, table.numbers, strict=True):
        edges[name] = _words_at(numbers, table.words) if name in WORDS else pa.array(numbers)
    return GraphRows(
        _of_snapshot(
            snapshot, dict(zip(nodes.column_names, nodes.columns, strict=True)), rows=nodes.num_rows
        ),
        _of_snapshot(snapshot, edges, rows=len(table)),
    )


def _words_at(places: NDArray[np.int32], words: pa.StringArray) -> pa.DictionaryArray:
    """Return the words at places, of which only those that are used go along."""
    is_used = np.zeros(len(words), dtype=np.bool_)
    is_used[places] = True
    numbers = (np.cumsum(is_used, dtype=np.int32) - np.int32(1))[places]
    return pa.DictionaryArray.from_arrays(pa.array(numbers), words.take(pa.array(np.flatnonzero(is_used))))


def _of_snapshot(snapshot: Snapshot, arrays: Mapping[str, pa.Array], *, rows: int) -> pa.Table:
    places = {name: pa.repeat(getattr(snapshot, name), rows) for name in ("repo", "branch")}
    return pa.table({**arrays, **places})


def embedding_table(content_hashes: Sequence[str], vectors: NDArray[np.float32], *, model: str) -> pa.Table:
    """Return vectors, shape (rows, dimension), with the signs of their components packed into words."""
    rows, dimension = vectors.shape
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).ravel())
    words = pack_signs(vectors)
    signs = {f"sign_{place}": word for place, word in enumerate(words)}
    columns = {"model": pa.array([model] * rows), "content_hash": pa.array(content_hashes, type=pa.string())}
    return pa.table({**columns, **signs, "embedding": pa.FixedSizeListArray.from_arrays(flat, dimension)})


def text_table(texts: Mapping[str, str]) -> pa.Table:
    """Return texts to embed with the hashes of their contents, which are the keys."""
    hashes, values = list(texts), list(texts.values())
    return pa.table(
        {"content_hash": pa.array(hashes, pa.string()), "embedding_text": pa.array(values, pa.string())}
    )


def pack_signs(vectors: NDArray[np.float32]) -> list[pa.FixedSizeBinaryArray]:
    """Pack which components are positive, 128 to a word, first component in the highest bit.

    Takes shape (rows, dimension), returns one array per word; the last holds what is left in its lowest bits.
    """
    rows, dimension = vectors.shape
    whole = dimension - dimension % SIGN_WORD
    positive = np.zeros((rows, sign_words(dimension), SIGN_WORD), dtype=np.bool_)
    positive[:, : whole // SIGN_WORD] = (vectors[:, :whole] > 0).reshape(rows, -1, SIGN_WORD)
    if whole < dimension:
        positive[:, -1, whole - dimension :] = vectors[:, whole:] > 0
    words = np.packbits(positive, axis=2)
    width = pa.binary(SIGN_WORD // 8)
    return [
        pa.FixedSizeBinaryArray.from_buffers(width, rows, [None, pa.py_buffer(words[:, place].tobytes())])
        for place in range(words.shape[1])
    ]
