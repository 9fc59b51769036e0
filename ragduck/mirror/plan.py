"""Choose the kind of index for a number of vectors, and what it is made with."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from ragduck.errors import UsageError
from ragduck.mirror.manifest import KINDS, IndexKind

IndexChoice = Literal["auto", "flat", "hnsw", "ivf", "pq"]

# Where a kind stops to be the best; see docs/decisions/faiss-mirror.md.
MOST_FLAT = 15_000
MOST_HNSW = 50_000
MOST_IVF = 2_000_000
MOST_TRIED = (
    250_000  # vectors of which a second kind is made where the first turns out slow: a minute at most
)
DENSE_GRAPH = {"m": 32, "ef_construction": 60}  # for vectors that lists do not divide well

POINTS_PER_LIST = 50  # vectors that training looks at for each list
MIN_POINTS_PER_LIST = 16
MAX_CODE_BITS = 8
MIN_CODED = 2  # vectors; of fewer no code can be learnt

BUILT_WITH: Mapping[str, tuple[str, ...]] = {
    "flat": (),
    "hnsw": ("m", "ef_construction"),
    "ivf": ("lists",),
    "pq": ("lists", "code_bytes"),
}
ASKED_WITH: Mapping[str, tuple[str, ...]] = {
    "flat": (),
    "hnsw": ("ef_search",),
    "ivf": ("nprobe",),
    "pq": ("nprobe", "candidates"),
}
LIMITS = {"m": 256, "ef_construction": 4096, "ef_search": 16_384, "candidates": 100_000}


@dataclass(frozen=True, slots=True)
class IndexPlan:
    """What index to make; ``search`` holds search parameters that are given rather than measured."""

    kind: IndexKind
    parameters: Mapping[str, int]
    search: Mapping[str, int]


def plan_index(
    rows: int, dimension: int, *, choice: str = "auto", parameters: Mapping[str, int] | None = None
) -> IndexPlan:
    """Return the plan for so many vectors; UsageError for a kind or parameter that there is not."""
    kind = _kind_for(rows) if choice == "auto" else _known_kind(choice)
    if rows < MIN_CODED and kind == "pq":
        kind = "flat"
    given = dict(parameters or {})
    known = (*BUILT_WITH[kind], *ASKED_WITH[kind])
    for name, value in given.items():
        if name not in known:
            raise UsageError(
                f"an index of kind {kind} has no parameter {name!r}",
                hint=f"parameters: {', '.join(known)}"
                if known
                else "leave it out, or choose another --index",
            )
        highest = LIMITS.get(name, rows)
        if not 1 <= value <= max(highest, 1):
            raise UsageError(f"{name} is {value}", hint=f"give {name} a number from 1 to {highest:,}")
    made_with = _DEFAULTS[kind](rows, dimension) | {
        name: value for name, value in given.items() if name in BUILT_WITH[kind]
    }
    _require_divisor(made_with, dimension)
    return IndexPlan(kind, made_with, {name: given[name] for name in ASKED_WITH[kind] if name in given})


def other_plan(kind: IndexKind, rows: int, dimension: int) -> IndexPlan | None:
    """Return the plan to try where an index of a kind that was chosen by size is not fast; None if there is none.

    Lists serve what falls into clusters, a graph what does not: only measuring tells.
    """
    if rows > MOST_TRIED or kind not in ("hnsw", "ivf"):
        return None
    if kind == "ivf":
        return IndexPlan("hnsw", DENSE_GRAPH, {})
    return plan_index(rows, dimension, choice="ivf")


def code_bits(rows: int) -> int:
    """Return the bits of one code: a codebook of 256 entries cannot be learnt from fewer vectors."""
    return max(1, min(MAX_CODE_BITS, int(math.log2(max(rows, 2)))))


def _known_kind(choice: str) -> IndexKind:
    for kind in KINDS:
        if kind == choice:
            return kind
    raise UsageError(f"there is no index of kind {choice!r}", hint=f"kinds: auto, {', '.join(KINDS)}")


def _kind_for(rows: int) -> IndexKind:
    if rows <= MOST_FLAT:
        return "flat"
    if rows <= MOST_HNSW:
        return "hnsw"
    return "ivf" if rows <= MOST_IVF else "pq"


def _lists(rows: int) -> int:
    return max(1, min(int(4 * math.sqrt(rows)), rows // MIN_POINTS_PER_LIST))


def _code_bytes(dimension: int) -> int:
    """Return the most sub-vectors of at least four components that the dimension divides into."""
    return max(parts for parts in range(1, max(dimension // 4, 1) + 1) if dimension % parts == 0)


def _require_divisor(made_with: Mapping[str, int], dimension: int) -> None:
    code_bytes = made_with.get("code_bytes", 1)
    if dimension % code_bytes:
        raise UsageError(
            f"{code_bytes} code bytes do not divide {dimension} dimensions",
            hint=f"give a divisor, such as code_bytes={_code_bytes(dimension)}",
        )


_DEFAULTS: Mapping[str, Callable[[int, int], dict[str, int]]] = {
    "flat": lambda _rows, _dimension: {},
    "hnsw": lambda _rows, _dimension: {"m": 16, "ef_construction": 100},
    "ivf": lambda rows, _dimension: {"lists": _lists(rows)},
    "pq": lambda rows, dimension: {"lists": _lists(rows), "code_bytes": _code_bytes(dimension)},
}
