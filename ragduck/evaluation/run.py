"""Ask a store every query in every mode, and score what comes back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any, Protocol

from ragduck.errors import UsageError
from ragduck.evaluation.metrics import Ranking, metric_names, rank_targets, score
from ragduck.evaluation.queries import Query, read_queries
from ragduck.evaluation.results import Evaluation, Found, Miss, ModeResult, QueryResult
from ragduck.evaluation.targets import Labels, Target, find_targets
from ragduck.model import EmbeddingModel
from ragduck.progress import NO_PROGRESS, Progress
from ragduck.search import MODES, Mode, SearchAnswer, SearchRequest

DEFAULT_MODES = ("hybrid", "bm25", "semantic")
RECALL_AT = (1, 5, 10)
WARM_UP = "where does it begin"  # any question: the first one of a process pays for loading


class Searchable(Protocol):
    """What is evaluated: a `ragduck.Store`, or something that searches like one."""

    @property
    def path(self) -> Path:
        """Where the store is."""

    @property
    def model(self) -> EmbeddingModel | None:
        """The model of the vectors; None when there are none."""

    def search(self, query: str, *, mode: Mode, top_k: int, **settings: Any) -> SearchAnswer:
        """Answer a question with the best chunks."""

    def sql(self, statement: str, parameters: Mapping[str, object] | None = None) -> list[dict[str, Any]]:
        """Run one read-only statement."""


def evaluate(
    store: Searchable,
    queries: str | Path | Iterable[str | Path] | Sequence[Query],
    *,
    modes: str | Iterable[str] | None = None,
    top_k: int = 10,
    recall_at: Iterable[int] | None = None,
    once: bool = False,
    progress: Progress = NO_PROGRESS,
    **settings: Any,
) -> Evaluation:
    """Measure how well a store answers queries, given as such or as the files that hold them.

    NDCG at ``top_k``, MRR and recall count each target at the rank of the first chunk that finds it; a label that
    the store lacks counts as not found. ``modes`` are by default those of hybrid, bm25 and semantic that the store
    can serve; ``settings`` are the other arguments of `Store.search`. Searches are timed as a whole, after a
    warm-up: the first one of each question and, unless ``once``, another one, for which the store remembers the
    vector. Raises UsageError when no label is in the store.
    """
    if isinstance(store, str | Path):
        raise UsageError(
            f"{store} is a path, not a store", hint="with ragduck.open(path) as store: evaluate(store, …)"
        )
    asked = _queries(queries)
    depths = _depths(recall_at, top_k)
    metrics = metric_names(top_k, depths)
    chosen = _modes(store, modes)
    labels = find_targets(store.sql, asked)
    _require_targets(labels, store)
    results = []
    for mode in chosen:
        asker = _Asker(store, once=once or mode == "bm25", mode=mode, top_k=top_k, **settings)
        results.append(_evaluate_mode(asker, asked, labels, metrics=metrics, progress=progress))
    return Evaluation((store.path,), top_k, settings, metrics, labels, tuple(results))


def _queries(given: str | Path | Iterable[str | Path] | Sequence[Query]) -> tuple[Query, ...]:
    items = [given] if isinstance(given, str | Path) else list(given)
    queries = tuple(item for item in items if isinstance(item, Query))
    paths = [item for item in items if not isinstance(item, Query)]
    queries += read_queries(paths) if paths or not queries else ()
    for query in queries:
        try:
            SearchRequest(text=query.text)
        except UsageError as error:
            place = f"{query.file}:{query.line}: " if query.file else ""
            raise UsageError(
                f"{place}{error.message}", hint="write a question of some words there"
            ) from error
    return queries


def _depths(recall_at: Iterable[int] | None, top_k: int) -> tuple[int, ...]:
    if top_k < 1:
        raise UsageError(f"top_k is {top_k}", hint="give 1 or more")
    if recall_at is None:
        return tuple(depth for depth in RECALL_AT if depth <= top_k) or (top_k,)
    depths = tuple(recall_at)
    for depth in depths:
        if not 1 <= depth <= top_k:
            raise UsageError(
                f"recall at {depth} cannot be told from {top_k} results",
                hint=f"give 1 to {top_k}, or a larger top_k (-k)",
            )
    return depths


def _modes(store: Searchable, modes: str | Iterable[str] | None) -> tuple[str, ...]:
    if modes is None:
        return DEFAULT_MODES if store.model is not None else ("bm25",)
    chosen = tuple(dict.fromkeys([modes] if isinstance(modes, str) else modes))
    unknown = [mode for mode in chosen if mode not in MODES]
    if unknown or not chosen:
        raise UsageError(f"unknown mode {unknown[0]!r}" if unknown else "no mode is given",
                         hint=f"modes: {', '.join(MODES)}")  # fmt: skip
    return chosen


def _require_targets(labels: Labels, store: Searchable) -> None:
    missing = labels.missing
    if any(target.chunks for targets in labels.targets for target in targets):
        return
    raise UsageError(
        f"none of the {labels.count:,} labels is in {store.path}, such as {missing[0]!r}",
        hint="labels are paths as `ragduck search` shows them, or ids and node keys; is it the right store?",
    )


@dataclass(frozen=True, slots=True)
class _Hit:
    """What is kept of a result: texts of thousands of answers would fill the memory."""

    node_id: str
    location: str
    element_name: str


@dataclass(frozen=True, slots=True)
class _Answered:
    """An answer with the milliseconds that it took, and those of the first time it was asked for."""

    hits: tuple[_Hit, ...]
    notes: tuple[str, ...]
    milliseconds: float
    first: float


class _Asker:
    """Asks one store in one mode, with the same settings throughout."""

    def __init__(self, store: Searchable, *, once: bool, mode: str, **settings: Any) -> None:
        self.mode = mode
        self._store = store
        self._once = once
        self._settings = {"mode": mode, **settings}

    def ask(self, text: str) -> _Answered:
        """Search, and once more where a vector is involved: the store remembers it, so that the time is without."""
        answer, first = self._timed(text)
        again = first if self._once else self._timed(text)[1]
        hits = (_Hit(hit["node_id"], hit["location"], hit["element_name"]) for hit in answer.results)
        return _Answered(tuple(hits), answer.status.notes, again, first)

    def _timed(self, text: str) -> tuple[SearchAnswer, float]:
        began = perf_counter()
        answer = self._store.search(text, **self._settings)
        return answer, (perf_counter() - began) * 1000


def _evaluate_mode(
    asker: _Asker, queries: Sequence[Query], labels: Labels, *, metrics: Sequence[str], progress: Progress
) -> ModeResult:
    asker.ask(WARM_UP)
    answers = []
    with progress.stage(f"searching, {asker.mode}", total=len(queries)) as stage:
        for query in queries:
            answers.append(asker.ask(query.text))
            stage.advance(1)
    rankings = [
        rank_targets(targets, [hit.node_id for hit in answered.hits])
        for targets, answered in zip(labels.targets, answers, strict=True)
    ]
    rows = zip(queries, labels.targets, answers, rankings, score(rankings, metrics), strict=True)
    results = tuple(_result(*row) for row in rows)
    notes = dict.fromkeys(note for answered in answers for note in answered.notes)
    return ModeResult(asker.mode, results, tuple(notes))


def _result(
    query: Query,
    targets: Sequence[Target],
    answered: _Answered,
    ranking: Ranking,
    scores: Mapping[str, float],
) -> QueryResult:
    found = tuple(
        Found(targets[target].label, rank, hit.location)
        for rank, (hit, target) in enumerate(zip(answered.hits, ranking.found, strict=True), start=1)
        if target is not None
    )
    right = frozenset().union(*(target.chunks for target in targets))
    wrong = (
        Miss(rank, hit.location, hit.element_name)
        for rank, hit in enumerate(answered.hits, start=1)
        if hit.node_id not in right
    )
    labels = tuple(target.label for target in targets)
    times = (answered.milliseconds, answered.first)
    return QueryResult(query, scores, labels, found, next(wrong, None), *times)
