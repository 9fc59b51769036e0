"""What every importer gives: documents with their chunks, a graph, vectors, and an account of each repair."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ragduck.model import EmbeddingModel, Finding, Graph, ParsedDocument, Snapshot


@dataclass(frozen=True, slots=True)
class VectorBatch:
    """Vectors of unit length, shape (len(content_hashes), dimension), under the hashes that the chunks have."""

    content_hashes: tuple[str, ...]
    vectors: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Imported:
    """One repository and branch as another system knew it.

    ``documents`` are gone through once; a document's path is unique, and a chunk's text is exactly its lines.
    Both ends of every edge are nodes. ``taken`` counts what was read by the other system's own names.
    """

    documents: Iterable[ParsedDocument]
    graph: Graph
    taken: Mapping[str, int]
    findings: tuple[Finding, ...] = ()
    vectors: Iterable[VectorBatch] = ()
    notes: tuple[str, ...] = field(default=())


class ForeignSource(Protocol):
    """Something that another system wrote, recognised but not yet read in full."""

    @property
    def kind(self) -> str:
        """What it is, for people: `RoslynIndexer bundle`."""

    @property
    def snapshot(self) -> Snapshot:
        """The repository and branch it holds; ``root`` is where it lies."""

    @property
    def fingerprint(self) -> str:
        """Hash of its content: equal means that nothing changed."""

    @property
    def model(self) -> EmbeddingModel | None:
        """The model of the vectors it brings; None when it brings none."""

    @property
    def takes_database(self) -> bool:
        """Whether a name for the database reaches the keys of what it holds."""

    def read(self, *, max_chars: int, database: str | None = None) -> Imported:
        """Read it; texts longer than ``max_chars`` become several chunks.

        ``database`` is the database of objects whose keys name none. A bad record is left out and named in the
        findings. Raises SourceError when nothing can be read at all.
        """
