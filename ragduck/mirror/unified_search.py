"""Search a unified index as its own system did: by vector or by words, under filters that hold before scoring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ragduck.errors import UsageError
from ragduck.mirror.unified_files import K1, B, TermCounts, words_of
from ragduck.mirror.unified_reading import Unified, read_unified
from ragduck.search.fields import KIND_ALIASES, Filters, FilterValue, values_of
from ragduck.search.request import NO_FILTERS, Vector

RENAMED = {"name_prefix": "name", "db_key_in": "db_key", "cs_key_in": "cs_key"}
FILTERED_BY = (
    "data_type", "file_type", "kind", "project", "schema", "name", "name_prefix", "branch", "repo",
    "class", "member", "source_file", "db_key", "cs_key", "db_key_in", "cs_key_in",
)  # fmt: skip


def search_unified(
    index: Unified | str | Path,
    *,
    vector: Vector | None = None,
    text: str | None = None,
    top_k: int = 10,
    filters: Filters = NO_FILTERS,
) -> list[dict[str, Any]]:
    """Return the best rows for a question's vector, by cosine times importance, or for its words, by BM25.

    Each is a dict with id, score, faiss_score (None for words), rank, text and metadata. ``filters`` are those of
    seed 000. Raises UsageError for a filter that the rows cannot answer, SourceError for a folder that is no index.
    """
    if (vector is None) == (text is None):
        raise UsageError("give the vector of a question, or its text", hint="search_unified(folder, text=…)")
    unified = index if isinstance(index, Unified) else read_unified(index)
    raw = _cosines(unified, vector) if vector is not None else _bm25(unified, text or "")
    importance = np.array([float(row.get("importance_score", 1.0)) for row in unified.rows])
    scores = raw * importance if vector is not None else raw
    wanted = _wanted(filters)
    allowed = np.array([_passes(row, wanted) for row in unified.rows], dtype=np.bool_)
    if vector is None:
        allowed &= raw > 0
    places = np.flatnonzero(allowed)
    best = places[np.lexsort((places, -scores[places]))][:top_k]
    return [
        _result(unified.rows[place], scores[place], raw[place] if vector is not None else None, rank)
        for rank, place in enumerate(best.tolist(), start=1)
    ]


def _result(row: Mapping[str, Any], score: float, cosine: float | None, rank: int) -> dict[str, Any]:
    return {
        "id": row.get("id"),
        "score": float(score),
        "faiss_score": None if cosine is None else float(cosine),
        "rank": rank,
        "text": row.get("text"),
        "metadata": {name: value for name, value in row.items() if name != "text"},
    }


def _cosines(unified: Unified, vector: Vector) -> NDArray[np.float64]:
    query = np.asarray(vector.tolist(), dtype=np.float32)
    dimension = unified.vectors.shape[1]
    if query.shape != (dimension,):
        raise UsageError(
            f"the vector has shape {query.shape}; the index holds {dimension} dimensions",
            hint="embed the question with the model of the index",
        )
    return (unified.vectors @ query).astype(np.float64)


def _bm25(unified: Unified, text: str) -> NDArray[np.float64]:
    """Return the score of each row; Robertson and Zaragoza 2009 with the idf that stays positive."""
    terms = unified.terms
    if terms is None:
        raise UsageError("the index has no term counts", hint="give the vector of the question")
    scores = np.zeros(len(unified.rows))
    for word, times in Counter(words_of(text)).items():
        if (number := terms.vocabulary.get(word)) is not None:
            _add_word(scores, terms, number, times)
    return scores


def _add_word(scores: NDArray[np.float64], terms: TermCounts, number: int, times: int) -> None:
    run = slice(int(terms.offsets[number]), int(terms.offsets[number + 1]))
    rows, counts = terms.doc_ids[run], terms.tfs[run].astype(np.float64)
    rarity = np.log(1 + (len(scores) - float(terms.df[number]) + 0.5) / (float(terms.df[number]) + 0.5))
    length = 1 - B + B * terms.doc_len[rows] / (terms.average_length or 1.0)
    np.add.at(scores, rows, times * rarity * counts * (K1 + 1) / (counts + K1 * length))


def _wanted(filters: Filters) -> dict[str, list[FilterValue]]:
    wanted = values_of(filters)
    for name in wanted:
        if name not in FILTERED_BY:
            raise UsageError(
                f"a unified index cannot be filtered by {name!r}", hint=f"fields: {', '.join(FILTERED_BY)}"
            )
    return wanted


def _passes(row: Mapping[str, Any], wanted: Mapping[str, list[FilterValue]]) -> bool:
    """Whether a row has one of the values of each field."""
    for name, values in wanted.items():
        held = row.get(RENAMED.get(name, name))
        if name == "kind" and held is not None:
            held = KIND_ALIASES.get(str(held).upper(), str(held).upper())
        if name == "name_prefix":
            if held is None or not str(held).startswith(tuple(map(str, values))):
                return False
        elif held not in values:
            return False
    return True
