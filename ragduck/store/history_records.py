"""Turn what conversations are made of into JSON and back; what comes back may have been written by anyone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from typing import Any, TypeVar, get_type_hints

from ragduck.conversation import HistorySummary, RunRecord, StepRecord, Turn
from ragduck.untrusted_json import read_json

MAX_INTEGER = 2**63
_HINTS: dict[Any, dict[str, Any]] = {}  # of the fields of each kind of record; slow to find out
Kept = TypeVar("Kept")

Key = TypeVar("Key")
Held = TypeVar("Held", Turn, HistorySummary, RunRecord)


@dataclass(frozen=True, slots=True)
class Deletion:
    """Say that a session is to be forgotten, with its turns, summaries and runs."""

    session_id: str


Item = Turn | HistorySummary | RunRecord | Deletion
KINDS: Mapping[str, type[Turn] | type[HistorySummary] | type[RunRecord] | type[Deletion]] = {
    "turn": Turn,
    "summary": HistorySummary,
    "run": RunRecord,
    "deletion": Deletion,
}


def entry_of(item: Item) -> dict[str, Any]:
    """Return an item as the journal keeps it."""
    kind = next(name for name, known in KINDS.items() if isinstance(item, known))
    return {"kind": kind, "data": to_data(item)}


def item_of(entry: Mapping[str, Any]) -> Item | None:
    """Return what `entry_of` made; None for anything else."""
    kind, data = KINDS.get(str(entry.get("kind"))), entry.get("data")
    if kind is None or not isinstance(data, dict):
        return None
    try:
        return Deletion(_text(data["session_id"])) if kind is Deletion else from_data(kind, data)
    except (KeyError, TypeError, ValueError, OverflowError, RecursionError):
        return None


def to_data(record: Any) -> dict[str, Any]:
    """Return the fields of a record as JSON values; times are UTC, as ISO 8601 without a zone."""
    return {each.name: json_value(getattr(record, each.name)) for each in fields(record)}


def json_value(value: Any) -> Any:
    """Return a value as JSON and UTF-8 can hold it; what they cannot is told as text, NaN as null."""
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, Mapping):
        return {json_value(str(name)): json_value(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [json_value(inner) for inner in value]
    if isinstance(value, set | frozenset):
        return sorted(map(str, value))
    if isinstance(value, datetime):
        return _utc(value).replace(tzinfo=None).isoformat()
    if isinstance(value, StepRecord):
        return to_data(value)
    return json_value(str(value))


def from_data(kind: type[Kept], data: Mapping[str, Any]) -> Kept:
    """Make a record of the fields that `to_data` or a row of the store gives; fields with a default may be missing.

    Raises TypeError or ValueError when a value is none of its field.
    """
    hints = _hints(kind)
    return kind(**{name: CHECKS[hint](data[name]) for name, hint in hints.items() if name in data})


def _hints(kind: Any) -> dict[str, Any]:
    if kind not in _HINTS:
        _HINTS[kind] = get_type_hints(kind)
    return _HINTS[kind]


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


def _integer(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError("no integer")
    if abs(value) >= MAX_INTEGER:
        raise ValueError("too large")
    return value


def _number(value: Any) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise TypeError("no number")
    if not math.isfinite(value):
        raise ValueError("no finite number")
    return float(value)


def _time(value: Any) -> datetime:
    return _utc(value if isinstance(value, datetime) else datetime.fromisoformat(_text(value)))


def _utc(value: datetime) -> datetime:
    return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _mapping(value: Any) -> dict[str, Any]:
    """Return a JSON object; rows of the store have it as text."""
    value = read_json(value) if isinstance(value, str) else value
    if not isinstance(value, dict):
        raise TypeError("no object")
    return value


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise TypeError("no list")
    return tuple(map(_text, value))


def _steps(value: Any) -> tuple[StepRecord, ...]:
    if not isinstance(value, list | tuple):
        raise TypeError("no list")
    return tuple(from_data(StepRecord, each) for each in value)


CHECKS: Mapping[Any, Callable[[Any], Any]] = {
    str: _text,
    str | None: _text_or_none,
    int: _integer,
    float: _number,
    datetime: _time,
    Mapping[str, Any]: _mapping,
    tuple[str, ...]: _texts,
    tuple[StepRecord, ...]: _steps,
}


@dataclass(slots=True)
class Known:
    """What was said, each thing once: the first of several with the same id counts."""

    turns: dict[str, Turn] = field(default_factory=dict)
    summaries: dict[tuple[str, int, str], HistorySummary] = field(default_factory=dict)
    runs: dict[str, RunRecord] = field(default_factory=dict)
    _requests: set[tuple[str, str]] = field(default_factory=set)

    def add(self, items: Iterable[Item]) -> None:
        """Add items in the order in which they were saved; a deletion forgets what came before it."""
        for item in items:
            if isinstance(item, Deletion):
                self._forget(item.session_id)
            elif isinstance(item, Turn):
                self._add_turn(item)
            elif isinstance(item, HistorySummary):
                self.summaries.setdefault((item.session_id, item.version, item.last_turn_id), item)
            else:
                self.runs.setdefault(item.run_id, item)

    def _add_turn(self, turn: Turn) -> None:
        if turn.turn_id in self.turns:
            return
        if turn.request_id is not None:
            request = (turn.session_id, turn.request_id)
            if request in self._requests:
                return
            self._requests.add(request)
        self.turns[turn.turn_id] = turn

    def _forget(self, session_id: str) -> None:
        self.turns = _without(self.turns, session_id)
        self.summaries = _without(self.summaries, session_id)
        self.runs = _without(self.runs, session_id)
        self._requests = {request for request in self._requests if request[0] != session_id}

    def turns_of(self, session_id: str) -> tuple[Turn, ...]:
        """Return the turns of a session, oldest first."""
        turns = [turn for turn in self.turns.values() if turn.session_id == session_id]
        return tuple(sorted(turns, key=lambda turn: (turn.created_at, turn.turn_id)))

    def summary_of(self, session_id: str) -> HistorySummary | None:
        """Return the newest summary of a session."""
        found = self.summaries_of(session_id)
        return found[-1] if found else None

    def summaries_of(self, session_id: str) -> tuple[HistorySummary, ...]:
        """Return the versions of the summary of a session, oldest first; none of turns that were deleted."""
        ids = {turn.turn_id for turn in self.turns.values() if turn.session_id == session_id}
        found = [
            each
            for each in self.summaries.values()
            if each.session_id == session_id and each.last_turn_id in ids
        ]
        return tuple(sorted(found, key=lambda each: (each.version, each.created_at, each.last_turn_id)))


def _without(held: dict[Key, Held], session_id: str) -> dict[Key, Held]:
    return {key: item for key, item in held.items() if item.session_id != session_id}
