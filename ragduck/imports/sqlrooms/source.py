"""A sqlrooms-rag file as a source of `prepare`: what it holds, and what was repaired in it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath

from ragduck.errors import SourceError
from ragduck.imports.contract import Imported, VectorBatch
from ragduck.imports.paths import relative_paths
from ragduck.imports.sqlrooms.markdown import MarkdownFile, hash_of, parsed_document
from ragduck.imports.sqlrooms.model import dimension_of, model_of
from ragduck.imports.sqlrooms.tables import (
    CHUNKS,
    ChunkRow,
    FileRow,
    chunk_rows,
    facts_of,
    file_rows,
    is_recognised,
)
from ragduck.imports.sqlrooms.vectors import VECTORS, UsableVectors, VectorRun
from ragduck.model import EmbeddingModel, Finding, Graph, Node, ParsedDocument, Snapshot
from ragduck.store.foreign import ForeignDatabase, is_duckdb_file, open_foreign

KIND = "sqlrooms-rag file"
READ_AT_ONCE = 1 << 22  # bytes


def sqlrooms_sources(
    path: Path, *, repo: str | None = None, branch: str | None = None
) -> tuple[SqlroomsSource, ...]:
    """Return the file as a source; nothing for what is no DuckDB file, or has no table of chunks."""
    if not is_duckdb_file(path):
        return ()
    with open_foreign(path) as database:
        if not is_recognised(database):
            return ()
        facts = facts_of(database)
        vector_type = database.tables[CHUNKS].get(VECTORS, "")
    snapshot = Snapshot(repo or path.stem or "documents", branch or "main", None, path)
    return (SqlroomsSource(snapshot, facts, vector_type),)


@dataclass(frozen=True, slots=True)
class SqlroomsSource:
    """What a sqlrooms-rag file tells of itself; ``vector_type`` is empty when it has no vectors."""

    snapshot: Snapshot
    facts: Mapping[str, str]
    vector_type: str
    kind: str = KIND
    takes_database: bool = False

    @property
    def fingerprint(self) -> str:
        """Hash of the file; reads it whole."""
        path = self.snapshot.root
        log = path.with_name(path.name + ".wal")
        return _content_hash(path) + (_content_hash(log) if log.is_file() else "")

    @property
    def dimension(self) -> int | None:
        """How long the vectors are; None when there are none that can be used."""
        return dimension_of(self.vector_type, self.facts)

    @property
    def model(self) -> EmbeddingModel | None:
        """The model that the file names; None when it names none or has no vectors."""
        return model_of(self.facts, self.dimension) if self.dimension else None

    def read(self, *, max_chars: int, database: str | None = None) -> Imported:  # noqa: ARG002 - chunks stay
        """Read files and chunks; chunks stay as they were cut, since their vectors are of the whole.

        Raises SourceError when there is no chunk with a text.
        """
        path = self.snapshot.root
        findings: list[Finding] = []
        with open_foreign(path) as opened:
            kept = list(file_rows(opened, findings))
            chunks = list(chunk_rows(opened, findings))
            if not chunks:
                raise SourceError(
                    f"{path} holds no chunk with a text", hint="make it again with: prepare-embeddings"
                )
            files = _files(kept, chunks, path)
            hashes = {row.row_id: hash_of(file.path, row.text) for file in files for row in file.chunks}
            vectors = UsableVectors(hashes, {row.row_id: row.number for row in chunks})
            taken_vectors = self._check_vectors(opened, vectors, findings)
        documents = tuple(parsed_document(file, findings) for file in files)
        return Imported(
            documents=documents,
            graph=Graph(nodes=tuple(map(_file_node, documents))),
            taken={
                "source_documents": len(kept),
                "documents": sum(len(document.chunks) for document in documents),
                "embeddings": taken_vectors,
            },
            findings=tuple(findings),
            vectors=VectorRun(partial(self._batches, vectors)),
            notes=tuple(self._notes(kept)),
        )

    def _check_vectors(
        self, database: ForeignDatabase, vectors: UsableVectors, findings: list[Finding]
    ) -> int:
        if self.model is None or self.dimension is None:
            return 0
        taken = 0
        for rows, found in database.vectors(
            CHUNKS, VECTORS, dimension=self.dimension, last_row=max(vectors.hashes, default=-1)
        ):
            taken += vectors.check(rows, found)
        findings += vectors.findings()
        return taken

    def _batches(self, vectors: UsableVectors) -> Iterator[VectorBatch]:
        if self.model is None or self.dimension is None:
            return
        given: set[str] = set()
        with open_foreign(self.snapshot.root) as database:
            for rows, found in database.vectors(
                CHUNKS, VECTORS, dimension=self.dimension, last_row=max(vectors.hashes, default=-1)
            ):
                batch = vectors.batch(rows, found, given)
                if batch.content_hashes:
                    yield batch

    def _notes(self, kept: Sequence[FileRow]) -> Iterator[str]:
        if self.vector_type and self.dimension is None:
            yield f"its vectors were left: column embedding has type {self.vector_type[:100]}"
        elif self.dimension and self.model is None:
            yield "its vectors were left: no row embedding_model of embedding_metadata says what model they are of"
        if not kept:
            yield "the file holds no whole documents: they were put together from their chunks"
        if self.model is not None and self.model.name != self.facts.get("embedding_model"):
            yield f"its model {self.facts.get('embedding_model')} is called {self.model.name} here"


def _files(kept: Sequence[FileRow], chunks: Sequence[ChunkRow], place: Path) -> list[MarkdownFile]:
    """Give each chunk its file: the one that it names by id, else by path; parts of one file become one again."""
    path_of = {row.doc_id: row.path or row.doc_id for row in kept}
    texts: dict[str, list[str]] = {}
    for row in kept:
        texts.setdefault(path_of[row.doc_id], []).append(row.text)
    cut: dict[str, list[ChunkRow]] = {path: [] for path in texts}
    for chunk in chunks:
        known = next((path_of[each] for each in chunk.doc_ids if each in path_of), None)
        cut.setdefault(known or chunk.path or place.stem, []).append(chunk)
    names = relative_paths(cut, extension=".md")
    mtime_ns = place.stat().st_mtime_ns
    return [
        MarkdownFile(names[path], "\n".join(texts.get(path, ())), tuple(rows), mtime_ns)
        for path, rows in cut.items()
    ]


def _file_node(parsed: ParsedDocument) -> Node:
    path = parsed.document.path
    return Node(
        node_key=f"file:{path}|FILE",
        kind="FILE",
        name=PurePosixPath(path).name,
        data_type="docs",
        source_file=path,
        start_line=1,
        end_line=parsed.document.last_line,
    )


def _content_hash(path: Path) -> str:
    digest = hashlib.blake2b(digest_size=16)
    with path.open("rb") as file:
        while block := file.read(READ_AT_ONCE):
            digest.update(block)
    return digest.hexdigest()
