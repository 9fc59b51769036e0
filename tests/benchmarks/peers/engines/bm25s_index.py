"""bm25s with English stop words, a stemmer and compiled scoring, as its guide recommends; texts in memory."""

from __future__ import annotations

from pathlib import Path

import bm25s
import Stemmer
from contract import Hit
from rows import Sidecar, read_rows


def build(rows: Path, folder: Path) -> None:
    """Write the score matrix and the texts."""
    table = read_rows(rows)
    index_texts(table["text"].to_pylist(), folder)
    Sidecar.of(table).save(folder)


def index_texts(texts: list[str], folder: Path) -> None:
    """Write the score matrix alone."""
    retriever = bm25s.BM25(backend="numba")
    retriever.index(_tokens(texts), show_progress=False)
    retriever.save(str(folder / "bm25s"), show_progress=False)


def _tokens(texts: list[str]) -> object:
    return bm25s.tokenize(texts, stopwords="en", stemmer=Stemmer.Stemmer("english"), show_progress=False)


class Keywords:
    """A loaded index that answers in row numbers."""

    def __init__(self, folder: Path) -> None:
        self._retriever = bm25s.BM25.load(str(folder / "bm25s"), mmap=True)
        self._retriever.backend = "numba"
        self._retriever.activate_numba_scorer()
        self._stemmer = Stemmer.Stemmer("english")

    def nearest(self, text: str, k: int) -> list[int]:
        """Return row numbers of chunks that have a word of the question."""
        tokens = bm25s.tokenize(
            [text], stopwords="en", stemmer=self._stemmer, show_progress=False, return_ids=False
        )
        rows, scores = self._retriever.retrieve(tokens, k=k, show_progress=False, n_threads=1)
        return [int(row) for row, score in zip(rows[0], scores[0], strict=True) if score > 0]


class Index:
    """The index with the texts."""

    def __init__(self, folder: Path) -> None:
        self._keywords = Keywords(folder)
        self._sidecar = Sidecar.load(folder)

    def keyword(self, text: str, k: int) -> list[Hit]:
        return self._sidecar.hits(self._keywords.nearest(text, k))


def open_peer(folder: Path) -> Index:
    """Map the score matrix, load the texts."""
    return Index(folder)
