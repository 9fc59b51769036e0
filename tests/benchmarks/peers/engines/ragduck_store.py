"""ragduck: one store, asked through its SQL macros from plain DuckDB, or through `Store.search`.

The rows go in as `prepare` puts chunks in, file by file, so that the store also holds the files, as every store does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path, PurePosixPath
from typing import Any

import duckdb
import numpy as np
from contract import Filter, Hit
from numpy.typing import NDArray
from rows import matrix_of, read_rows

import ragduck
from ragduck.facts import FileFacts
from ragduck.model import Chunk, Document, EmbeddingModel, Graph, ParsedDocument, Snapshot
from ragduck.store.arrow import document_rows, graph_rows
from ragduck.store.builder import StoreBuilder

DIMENSION = 384
MODEL = EmbeddingModel(name=f"drawn:{DIMENSION}", revision="1", dimension=DIMENSION)
STORE = "store.duckdb"
BATCH = 4096  # vectors added at a time

FILTERED = """
select id, text
from documents
where {field} = $value
order by array_inner_product(embedding, $vector::float[{dimension}]) desc
limit $k
"""


def build(rows: Path, folder: Path, *, interface: str) -> None:
    """Write the store, and its FAISS mirror when that is what is asked."""
    table = read_rows(rows)
    vectors = matrix_of(table)
    records = table.drop_columns(["embedding"]).to_pylist()
    records.sort(key=lambda row: (row["repo"], row["path"], row["start_line"]))
    with StoreBuilder(folder / STORE, model=MODEL) as builder:
        for repo, own in groupby(records, key=lambda row: row["repo"]):
            snapshot = Snapshot(repo=repo, branch="main", commit_sha=None, root=Path(repo))
            builder.add_rows(document_rows(snapshot, list(_documents(list(own)))))
            builder.add_graph(graph_rows(snapshot, Graph()))
            builder.add_snapshot(snapshot, skipped=0, problems=0, fingerprint="")
        row_of = {_content_hash(row["text"]): row["id"] for row in records}
        for hashes, _ in builder.texts_without_vectors():
            for start in range(0, len(hashes), BATCH):
                part = hashes[start : start + BATCH]
                builder.add_vectors(part, vectors[[row_of[content] for content in part]])
        builder.write(settings={})
    if interface == "mirror":
        from ragduck.mirror import export_faiss

        export_faiss(folder / STORE)


def _documents(records: list[dict[str, Any]]) -> Iterator[ParsedDocument]:
    for path, own in groupby(records, key=lambda row: row["path"]):
        rows = list(own)
        text = "\n".join(row["text"] for row in rows)
        document = Document(path, text, "python", "python", "source", size=len(text.encode()), mtime_ns=0)
        facts = FileFacts(path, "python", "source", project=None, lines=text.count("\n") + 1)
        yield ParsedDocument(document, tuple(_chunks(rows)), problems=(), facts=facts)


def _chunks(rows: list[dict[str, Any]]) -> Iterator[Chunk]:
    """Yield one chunk per row; its object carries the row's number."""
    line = 1
    for row in rows:
        last = line + row["text"].count("\n")
        yield Chunk(
            text=row["text"],
            start_line=line,
            end_line=last,
            object_id=f"row:{row['id']}",
            node_key=f"file:{row['path']}|FILE",
            chunk_part=0,
            chunk_total=1,
            data_type="regular_code",
            file_type="python",
            element_type="file",
            element_name=PurePosixPath(row["path"]).name,
            embedding_text=row["text"],
            content_hash=_content_hash(row["text"]),
            kind=row["kind"],
        )
        line = last + 1


def _content_hash(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def _hit(chunk_id: str, text: str) -> Hit:
    return int(chunk_id.split(":")[1]), text


class Macros:
    """The stored macros, called from a DuckDB that knows nothing of ragduck; filters are plain SQL."""

    def __init__(self, folder: Path) -> None:
        self._connection = duckdb.connect(str(folder / STORE), read_only=True)

    def keyword(self, text: str, k: int) -> list[Hit]:
        return self._rows("select id, text from bm25($words, top_k := $k)", words=text, k=k)

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        sql = f"select id, text from nearest($vector::float[{DIMENSION}], top_k := $k)"
        return self._rows(sql, vector=vector.tolist(), k=k)

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        field, value = where
        sql = FILTERED.format(field=field, dimension=DIMENSION)
        return self._rows(sql, vector=vector.tolist(), value=value, k=k)

    def hybrid(self, text: str, vector: NDArray[np.float32], k: int) -> list[Hit]:
        sql = f"select id, text from hybrid($words, $vector::float[{DIMENSION}], top_k := $k)"
        return self._rows(sql, words=text, vector=vector.tolist(), k=k)

    def close(self) -> None:
        """Let another interface open the file in this process."""
        self._connection.close()

    def _rows(self, sql: str, **parameters: object) -> list[Hit]:
        return [_hit(*row) for row in self._connection.execute(sql, parameters).fetchall()]


class _GivenVector:
    """Stand for the model: the vector of the next question is set beforehand, as no model is measured here."""

    model = MODEL

    def __init__(self) -> None:
        self.vector: NDArray[np.float32] = np.zeros(DIMENSION, dtype=np.float32)

    def embed_texts(self, texts: list[str]) -> NDArray[np.float32]:
        return np.stack([self.vector for _ in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        return self.vector


class Library:
    """`Store.search` as people call it, with all that it returns."""

    def __init__(self, folder: Path, *, faiss: str = "off") -> None:
        self._model = _GivenVector()
        self._store = ragduck.open(folder / STORE, embed_model=self._model, faiss=faiss)
        if faiss != "off":
            self._require_mirror()

    def _require_mirror(self) -> None:
        """Refuse to measure a scan as a mirror: a store answers from its own vectors when a mirror does not fit."""
        from ragduck.mirror import mirror_state

        state = mirror_state(self._store.path, self._store.meta)
        if state.status != "fresh":
            raise RuntimeError(f"the mirror is {state}")

    def keyword(self, text: str, k: int) -> list[Hit]:
        return self._hits(text, mode="bm25", top_k=k)

    def vector(self, vector: NDArray[np.float32], k: int) -> list[Hit]:
        return self._hits(self._question(vector), mode="semantic", top_k=k)

    def filtered(self, vector: NDArray[np.float32], where: Filter, k: int) -> list[Hit]:
        return self._hits(self._question(vector), mode="semantic", top_k=k, filters=dict([where]))

    def hybrid(self, text: str, vector: NDArray[np.float32], k: int) -> list[Hit]:
        self._model.vector = vector
        return self._hits(text, mode="hybrid", top_k=k)

    def close(self) -> None:
        """Let another interface open the file in this process."""
        self._store.close()

    def _question(self, vector: NDArray[np.float32]) -> str:
        """Return a text that no other vector goes by: the store remembers the vector of each question."""
        self._model.vector = vector
        return f"question {hash(vector.tobytes())}"

    def _hits(self, text: str, **settings: Any) -> list[Hit]:
        return [_hit(result["id"], result["text"]) for result in self._store.search(text, **settings).results]


def open_peer(folder: Path, *, interface: str) -> Macros | Library:
    """Open the store for reading."""
    if interface == "macros":
        return Macros(folder)
    return Library(folder, faiss="auto" if interface == "mirror" else "off")
