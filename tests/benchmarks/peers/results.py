"""What was measured of each entry, and how its answers compare with the exact ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from queries import Query
from rows import LABELS, matrix_of

Exact = Mapping[str, Sequence[set[int]]]


@dataclass(frozen=True, slots=True)
class Searched:
    """One kind of search: milliseconds by the clock and of all threads' work, and what was found.

    ``recall`` is the share of the exact answer that came back, None for words. ``own`` is the share of questions
    whose chunk of origin is among the results, None for vectors. ``returned`` is the mean number of results.
    """

    median: float
    p95: float
    cpu_median: float
    cpu_p95: float
    queries: int
    returned: float
    recall: float | None = None
    own: float | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """One entry of the roster, or the reason why it could not be measured."""

    name: str
    note: str = ""
    build_seconds: float = 0.0
    build_cpu_seconds: float = 0.0
    build_mb: float = 0.0
    size_mb: float = 0.0
    open_seconds: float = 0.0
    ask_mb: float = 0.0
    searches: Mapping[str, Searched] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    problem: str | None = None


def exact_answers(rows: Any, queries: Sequence[Query], *, top_k: int) -> Exact:
    """Return for each kind of vector search the best rows of each query, by numpy."""
    vectors = matrix_of(rows)
    labels = {name: np.array(rows[name].to_pylist()) for name in LABELS}
    answers: dict[str, list[set[int]]] = {"vector": [], "narrow": [], "wide": []}
    for query in queries:
        scores = vectors @ np.array(query.vector, dtype=np.float32)
        for kind, where in (("vector", None), ("narrow", query.narrow), ("wide", query.wide)):
            allowed = (
                np.arange(len(scores)) if where is None else np.flatnonzero(labels[where[0]] == where[1])
            )
            answers[kind].append(set(allowed[np.argsort(-scores[allowed], kind="stable")[:top_k]].tolist()))
    return answers


def compared(kind: str, figures: Mapping[str, Any], queries: Sequence[Query], exact: Exact) -> Searched:
    """Return the figures of one kind of search, as the harness wrote them, with what they are worth."""
    times, worked = figures["milliseconds"], figures["cpu_milliseconds"]
    found = [set(rows) for rows in figures["rows"]]
    recall = own = None
    if kind in exact:
        shares = [
            len(rows & best) / len(best) for rows, best in zip(found, exact[kind], strict=False) if best
        ]
        recall = float(np.mean(shares))
    else:
        own = float(np.mean([query.row in rows for query, rows in zip(queries, found, strict=False)]))
    return Searched(
        median=float(np.median(times)),
        p95=float(np.percentile(times, 95)),
        cpu_median=float(np.median(worked)),
        cpu_p95=float(np.percentile(worked, 95)),
        queries=len(times),
        returned=float(np.mean([len(rows) for rows in found])),
        recall=recall,
        own=own,
    )
