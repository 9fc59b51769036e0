"""The relations that a walk may follow, and in which direction, by any of their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ragduck.errors import UsageError

WalkDirection = Literal["both", "in", "out", "impact"]
DIRECTIONS = ("both", "in", "out")
ENDS_IMPACT = "ForeignKey"  # who only reads the referring table does not notice a change of the other
CONTAINS = "Contains"
NO_LETTER = re.compile(r"[^0-9A-Za-z]")


@dataclass(frozen=True, slots=True)
class Step:
    """A relation followed along its edges (`out`) or against them (`in`), as links know it."""

    step: int
    relation: str
    direction: Literal["out", "in"]
    is_impact: bool
    edges: int
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class AllowedSteps:
    """The steps a walk may take, and what to tell the user of names that led to none.

    By those of ``last`` a walk comes to nodes from which it does not go on.
    """

    steps: tuple[Step, ...]
    notes: tuple[str, ...] = ()
    last: frozenset[int] = frozenset()

    @property
    def numbers(self) -> list[int]:
        """Return the keys of the steps in links."""
        return [step.step for step in self.steps]

    @property
    def relations(self) -> list[str]:
        """Return the names of the relations, each once."""
        return list(dict.fromkeys(step.relation for step in self.steps))


def steps_of(rows: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Return the steps of a store from the rows of `graph/steps.sql`."""
    return tuple(Step(**{**row, "aliases": tuple(row["aliases"])}) for row in rows)


def allowed_steps(
    steps: Sequence[Step],
    *,
    relations: str | Sequence[str] | None,
    direction: WalkDirection | Mapping[str, str],
) -> AllowedSteps:
    """Choose steps by names of relations, in any of their spellings, and by direction.

    ``direction`` may name one for each relation; the others are followed both ways. Raises UsageError when no name
    fits or a direction is unknown; a name that fits nothing beside others that do is noted.
    """
    if relations is not None and not relations:
        raise UsageError("no relation given", hint=_known(steps))
    chosen, notes = _chosen(steps, relations)
    directions = _directions(steps, direction)
    found = tuple(step for step in steps if step.relation in chosen and _goes(step, directions))
    ends = (ENDS_IMPACT, "in") if direction == "impact" else (CONTAINS, "in")
    last = frozenset(
        step.step for step in found if relations is None and (step.relation, step.direction) == ends
    )
    return AllowedSteps(found, notes, last)


def _chosen(
    steps: Sequence[Step], names: str | Sequence[str] | None
) -> tuple[Collection[str], tuple[str, ...]]:
    if names is None:
        return {step.relation for step in steps}, ()
    chosen: set[str] = set()
    notes: list[str] = []
    for name in [names] if isinstance(names, str) else names:
        meant = _named(steps, name)
        chosen |= meant
        if not meant:
            notes.append(f"no relation is called {name}")
        elif not any(step.edges for step in steps if step.relation in meant):
            notes.append(f"the store has no edges of {name}")
    if not chosen:
        raise UsageError("; ".join(notes), hint=_known(steps))
    return chosen, tuple(notes)


def _named(steps: Sequence[Step], name: str) -> set[str]:
    alias = NO_LETTER.sub("", name.removeprefix("sql_")).lower()
    return {step.relation for step in steps if alias in step.aliases}


def _known(steps: Sequence[Step]) -> str:
    names = sorted({step.relation for step in steps if step.edges})
    return f"relations: {', '.join(names) or 'none'}"


def _directions(steps: Sequence[Step], direction: str | Mapping[str, str]) -> Mapping[str, str]:
    """Return the direction of each relation."""
    if isinstance(direction, str):
        return {step.relation: _checked(direction) for step in steps}
    named = dict(_by_relation(steps, direction))
    return {step.relation: named.get(step.relation, "both") for step in steps}


def _by_relation(steps: Sequence[Step], direction: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    for name, value in direction.items():
        meant = _named(steps, name)
        if not meant:
            raise UsageError(f"no relation is called {name}", hint=_known(steps))
        for relation in meant:
            yield relation, _checked(value)


def _checked(direction: str) -> str:
    if direction not in (*DIRECTIONS, "impact"):
        raise UsageError(f"unknown direction {direction!r}", hint=f"directions: {', '.join(DIRECTIONS)}")
    return direction


def _goes(step: Step, directions: Mapping[str, str]) -> bool:
    direction = directions[step.relation]
    if direction == "impact":
        return step.is_impact
    return direction in ("both", step.direction)
