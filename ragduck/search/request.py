"""What is asked, what comes back, and the limits of a question."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any, Literal, Protocol, get_args

from ragduck.errors import UsageError
from ragduck.search.fields import Filters
from ragduck.search.given import require_range, require_text, require_whole

Mode = Literal["hybrid", "semantic", "semantic_rerank", "bm25"]
ScoreType = Literal["rrf", "weighted", "bm25", "cosine", "ranked", "rerank"]
MODES: tuple[Mode, ...] = get_args(Mode)

SCORE_TYPES: Mapping[Mode, ScoreType] = MappingProxyType(
    {"semantic": "cosine", "semantic_rerank": "weighted", "bm25": "bm25"}
)
REPLACED = "the store was prepared again since it was opened: open it again for what is there now"
RRF_K = 60  # of fusion without signals; flattens the difference between first ranks; Cormack et al. 2009
MAX_QUESTION = 10_000  # characters; longer ones are pasted files, not questions
MAX_TOP_K = 10_000
MAX_PARAMETER = 1_000_000
NO_FILTERS: Filters = MappingProxyType({})
NO_RANKING: Mapping[str, float] = MappingProxyType({})
FTS_FIELDS = ("content", "parts", "name", "path")
BM25_PARAMETERS = (
    "k1",
    *(f"{field}_weight" for field in FTS_FIELDS),
    *(f"{field}_b" for field in FTS_FIELDS),
)


class Vector(Protocol):
    """The embedding of a question: an array of numpy, or any other that makes a list of its numbers."""

    def tolist(self) -> list[float]:
        """Return the numbers."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """One question to a store.

    ``signals`` puts hits in order by what else is known of them (names, file, graph, other hits of the file): by
    default in `hybrid` with ``use_rrf`` and in `bm25`. Without, a score is the plain one of its mode. ``ranking``
    changes parameters of the signals by name; the macro `ranking()` in `sql/macros/04_ranking.sql` tells them all.
    ``bm25`` changes k1, and weight and b of a field (``name_weight``, ``path_b`` …): scores are then computed from
    the stored counts, which takes longer. `semantic_rerank` keeps the weights of the store.

    ``vector_top_k`` and ``fts_top_k`` say how many hits of each side are fused; ``vector_weight`` weighs the two
    sides when ``use_rrf`` is off, ``alpha`` and ``beta`` cosine and keyword score in `semantic_rerank`.
    ``relax`` names filter fields to give up, in order, while fewer than ``top_k`` results come back.
    """

    text: str
    mode: Mode = "hybrid"
    top_k: int = 10
    filters: Filters = field(default_factory=lambda: NO_FILTERS)
    where: str | None = None
    use_rrf: bool = True
    signals: bool | None = None
    ranking: Mapping[str, float] = field(default_factory=lambda: NO_RANKING)
    rrf_k: int | None = None
    bm25: Mapping[str, float] = field(default_factory=lambda: NO_RANKING)
    vector_weight: float = 0.5
    vector_top_k: int | None = None
    fts_top_k: int | None = None
    alpha: float = 0.7
    beta: float = 0.3
    relax: Sequence[str] = ()

    def __post_init__(self) -> None:
        if isinstance(self.relax, str):
            raise UsageError(f"relax is the text {self.relax!r}", hint=f"give a list: relax=[{self.relax!r}]")
        if not isinstance(self.text, str):
            raise UsageError(f"the question is {self.text!r:.40}, not text", hint="ask in words")
        if not isinstance(self.filters, Mapping):
            raise UsageError(
                f"filters are {self.filters!r:.80}", hint='give fields and values: filters={"kind": ["PROC"]}'
            )
        if self.where is not None:
            require_text("where", self.where, example="where=\"kind = 'PROC'\"")
        text = self.text.strip()
        if not any(character.isalnum() for character in text):
            raise UsageError(
                "the question is empty" if not text else f"the question {text[:40]!r} has no word",
                hint='ask something, such as: ragduck search STORE "where are invoices created"',
            )
        if any("\ud800" <= character <= "\udfff" for character in self.text):
            raise UsageError("the question is not valid text", hint="write it in UTF-8")
        if len(self.text) > MAX_QUESTION:
            raise UsageError(
                f"the question is {len(self.text):,} characters long; {MAX_QUESTION:,} are the limit",
                hint="ask in a few words, or search for a distinctive line of the text",
            )
        if self.mode not in MODES:
            raise UsageError(f"unknown mode {self.mode!r}", hint=f"modes: {', '.join(MODES)}")
        require_whole("top_k", self.top_k, 1, MAX_TOP_K)
        if self.rrf_k is not None:
            require_whole("rrf_k", self.rrf_k, 1, 1_000_000)
        require_range("vector_weight", self.vector_weight, 0, 1)
        require_range("alpha", self.alpha, 0, 1_000)
        require_range("beta", self.beta, 0, 1_000)
        for name, depth in (("vector_top_k", self.vector_top_k), ("fts_top_k", self.fts_top_k)):
            if depth is not None:
                require_whole(name, depth, 1, MAX_TOP_K)

        if not isinstance(self.signals, bool | None):
            raise UsageError(f"signals is {self.signals!r:.40}", hint="give signals True, False or None")
        if self.signals and not self._takes_signals:
            raise UsageError(
                "signals rank places, so they do not go with weighted scores",
                hint="leave out signals, or use mode hybrid with use_rrf",
            )
        _require_numbers("ranking", self.ranking)
        _require_numbers("bm25", self.bm25)
        for name, value in self.bm25.items():
            if name not in BM25_PARAMETERS:
                raise UsageError(
                    f"bm25 has no parameter {name!r}", hint=f"parameters: {', '.join(BM25_PARAMETERS)}"
                )
            if name.endswith("_b"):
                require_range(f"bm25 {name}", value, 0, 1)

    @property
    def _takes_signals(self) -> bool:
        return self.mode in ("bm25", "semantic") or (self.mode == "hybrid" and self.use_rrf)

    @property
    def with_signals(self) -> bool:
        """Whether hits are put in order by signals, too."""
        if self.signals is not None:
            return self.signals
        return self._takes_signals and self.mode != "semantic"

    @property
    def score_type(self) -> ScoreType:
        """What the score of a hit is."""
        if self.mode == "hybrid":
            return "rrf" if self.use_rrf else "weighted"
        return "ranked" if self.with_signals else SCORE_TYPES[self.mode]


def _require_numbers(group: str, parameters: Mapping[str, float]) -> None:
    if not isinstance(parameters, Mapping):
        raise UsageError(f"{group} is {parameters!r:.80}", hint=f"give names and numbers: {group}={{…}}")
    for name, value in parameters.items():
        is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not is_number or not 0 <= value <= MAX_PARAMETER:
            raise UsageError(
                f"{group} {name} is {value!r:.40}", hint=f"give {name} a number from 0 to {MAX_PARAMETER:,}"
            )


@dataclass(frozen=True, slots=True)
class BranchStatus:
    """How old what a store holds of one branch is.

    ``prepared_at`` is UTC. ``checkout_moved`` tells whether the branch has another commit now; None where it is not
    known where the branch was read from, or the place is out of reach. Files that changed without a commit are not
    looked for. ``model`` is that of the vectors; ``mirror`` the state of the FAISS mirror.
    """

    repo: str
    branch: str
    commit_sha: str | None
    prepared_at: datetime
    model: str | None
    mirror: str | None
    checkout_moved: bool | None

    def to_dict(self) -> dict[str, Any]:
        """Return the status as JSON shows it; the age is counted from now."""
        age = datetime.now(UTC).replace(tzinfo=None) - self.prepared_at
        return {
            "repo": self.repo,
            "branch": self.branch,
            "commit": self.commit_sha,
            "prepared_at": self.prepared_at.isoformat(timespec="seconds"),
            "age_seconds": round(age.total_seconds()),
            "model": self.model,
            "mirror": self.mirror,
            "checkout_moved": self.checkout_moved,
        }


@dataclass(frozen=True, slots=True)
class SearchStatus:
    """How complete an answer is: enough chunks or not, what was given up to get there, and how old it is."""

    requested: int
    returned: int
    qualifying: int | None
    relaxed: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    branches: tuple[BranchStatus, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether as many results came back as were asked for."""
        return self.returned >= self.requested

    def to_dict(self) -> dict[str, Any]:
        """Return the status as JSON shows it."""
        return {
            "complete": self.complete,
            "requested": self.requested,
            "returned": self.returned,
            "qualifying": self.qualifying,
            "relaxed": list(self.relaxed),
            "notes": list(self.notes),
            "branches": [branch.to_dict() for branch in self.branches],
        }


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The results of a question, best first, and their status."""

    request: SearchRequest
    mode: Mode
    status: SearchStatus
    results: tuple[Mapping[str, Any], ...]

    def with_results(self, results: Iterable[Mapping[str, Any]]) -> SearchAnswer:
        """Return the answer with other results in place of its own."""
        return replace(self, results=tuple(results))

    def with_branches(self, branches: tuple[BranchStatus, ...], *, is_replaced: bool = False) -> SearchAnswer:
        """Return the answer with how old what it was found in is, and whether another file has its place now."""
        notes = (*self.status.notes, REPLACED) if is_replaced else self.status.notes
        return replace(self, status=replace(self.status, branches=branches, notes=notes))

    def to_dict(self) -> dict[str, Any]:
        """Return the answer as `search --format json` prints it."""
        return {
            "query": self.request.text,
            "mode": self.mode,
            "status": self.status.to_dict(),
            "results": [dict(result) for result in self.results],
        }
