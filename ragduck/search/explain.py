"""Take a score apart again: what each side gave to it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any

from ragduck.search.request import RRF_K, SearchRequest


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What one side gave: its place and score there, and what that adds to the sum.

    ``value`` is None where a scale over all hits made both sides of a weighted score.
    """

    side: str
    rank: int | None
    score: float | None
    formula: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Explanation:
    """The parts of a score, which add up to it, and the importance that the score of each side holds already."""

    parts: tuple[ScorePart, ...]
    importance: float
    score: float

    def to_dict(self) -> dict[str, Any]:
        """Return the explanation as JSON shows it."""
        return asdict(self)


SIGNALS: Mapping[str, str] = {
    "bm25": "place by keyword",
    "vector": "place by meaning",
    "coverage": "has nearly all terms of the question, or what it quotes or points at",
    "definition": "defines a name that is asked for",
    "type_head": "head of a type or database object",
    "file_name": "words of the file's name are asked for",
    "folder_name": "words of its folders are asked for",
    "file_evidence": "other chunks of the file match",
    "centrality": "how much of the graph leads to the file",
    "file_class": "test, migration, generated or vendored, and not asked for",
    "same_file": "better chunks of the file come before",
}


def explain(result: Mapping[str, Any], request: SearchRequest) -> Explanation:
    """Explain the score of a result: its parts add up to it."""
    if result["score_type"] == "rerank":
        part = ScorePart(
            "rerank",
            result["rank_before"],
            result["score_before"],
            "score of the reranker",
            result["rerank_score"],
        )
        return Explanation((part,), float(result["importance_score"]), result["score"])
    if result["score_parts"] is not None:
        return _explain_signals(result)
    sides = ("bm25", "vector")
    parts = [_part(side, result, request) for side in sides if result[f"{side}_score"] is not None]
    _add_rest(parts, result["score"])
    return Explanation(tuple(parts), float(result["importance_score"]), result["score"])


def _add_rest(parts: list[ScorePart], score: float) -> None:
    """Give a part that depends on a scale over all hits what the others leave of the score, if it is the only one."""
    scaled = [number for number, part in enumerate(parts) if part.value is None]
    if len(scaled) == 1:
        rest = score - sum(part.value for part in parts if part.value is not None)
        parts[scaled[0]] = replace(parts[scaled[0]], value=rest)


def _explain_signals(result: Mapping[str, Any]) -> Explanation:
    """Explain a score that signals made; those that add nothing are left out."""
    parts = tuple(
        ScorePart(
            name,
            result.get(f"{name}_rank"),
            result.get(f"{name}_score"),
            SIGNALS.get(name, name),
            float(value),
        )
        for name, value in result["score_parts"].items()
        if value
    )
    return Explanation(parts, float(result["importance_score"]), result["score"])


def _part(side: str, result: Mapping[str, Any], request: SearchRequest) -> ScorePart:
    rank, score = result[f"{side}_rank"], result[f"{side}_score"]
    kind = result["score_type"]
    rrf_k = request.rrf_k or RRF_K
    if kind == "rrf" and rank is not None:
        return ScorePart(side, rank, score, f"1/({rrf_k}+{rank})", 1.0 / (rrf_k + rank))
    if kind == "bm25":
        return ScorePart(side, rank, score, "score", score)
    if kind == "cosine":
        return ScorePart(side, rank, score, "score × importance", result["score"])
    return _weighted_part(ScorePart(side, rank, score, "", None), request, float(result["importance_score"]))


def _weighted_part(part: ScorePart, request: SearchRequest, importance: float) -> ScorePart:
    if request.mode == "semantic_rerank":
        if part.side == "vector":
            return ScorePart(
                part.side,
                part.rank,
                part.score,
                f"{request.alpha:g} × score × importance",
                request.alpha * (part.score or 0) * importance,
            )
        return ScorePart(part.side, part.rank, part.score, f"{request.beta:g} × score / best score", None)
    weight = request.vector_weight if part.side == "vector" else 1 - request.vector_weight
    return ScorePart(part.side, part.rank, part.score, f"{weight:g} × score scaled to 0…1", None)
