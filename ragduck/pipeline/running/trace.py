"""What a trace shows of a run: the state before and after a step, as JSON that is short and holds no secret."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, fields, is_dataclass
from datetime import date
from math import isfinite
from numbers import Real
from typing import Any

from ragduck.conversation import Conversation, RunRecord
from ragduck.pipeline.state import EvidenceBlock, State
from ragduck.search.neighbourhood import Neighbourhood

MAX_TEXT = 4_000  # characters of one text
MAX_ITEMS = 200  # of one list or mapping
MAX_DEPTH = 8
KEYS_SHOWN = 120  # of a neighbourhood
HIT_KEYS = ("id", "score", "location")
REMEMBERED = frozenset({"known_terms"})  # of the store; nothing that a step found out
STATE_FIELDS = tuple(field.name for field in fields(State) if field.name not in REMEMBERED)
OF_THE_RUN = frozenset({"turn_id", "session_id", "run_id"})
IDS_AND_TIMES = OF_THE_RUN | {"started_at", "started_ms", "milliseconds"}

_secret_name = re.compile(r"(api_?key|access_?key|secret|passw(or)?d|authorization|bearer|(^|_)token)$", re.I)


def shown(value: Any, *, depth: int = 0) -> Any:
    """Return a value as JSON that a reader can take in; what is left out is counted, never dropped in silence."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, Real):
        return float(value) if isfinite(value) else str(value)
    if isinstance(value, str):
        return _text(value)
    if depth >= MAX_DEPTH:
        return f"… {type(value).__name__} not shown"
    if isinstance(value, Neighbourhood):
        return _neighbourhood(value)
    if isinstance(value, EvidenceBlock):
        return _block(value)
    if isinstance(value, Conversation):
        return _conversation(value)
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: shown(getattr(value, field.name), depth=depth + 1) for field in fields(value)}
    if isinstance(value, Mapping):
        return _mapping(value, depth=depth)
    if isinstance(value, (Sequence, set, frozenset)) and not isinstance(value, (bytes, bytearray)):
        return _list(value, depth=depth)
    return value.isoformat() if isinstance(value, date) else f"… {type(value).__name__} not shown"


def as_utf8(text: str) -> str:
    """Return a text with a question mark for each half of a character, which no file can hold."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def snapshot(state: State) -> dict[str, Any]:
    """Return the fields of a state as they are now; what actions change in place is copied."""
    return {name: _kept(getattr(state, name)) for name in STATE_FIELDS}


def changes(before: Mapping[str, Any], state: State) -> dict[str, Any]:
    """Return the fields that differ from a snapshot, as a trace shows them."""
    changed = (name for name in STATE_FIELDS if _differs(before[name], _kept(getattr(state, name))))
    return {name: _field(name, getattr(state, name)) for name in changed if name not in OF_THE_RUN}


def without_times(record: RunRecord) -> dict[str, Any]:
    """Return a run without ids and times: equal for two runs of the same pipeline on the same store and model."""
    ids = [re.escape(value) for value in (record.run_id, record.session_id, record.turn_id) if value]
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(ids)})(?!\w)")
    made = {name: value for name, value in asdict(record).items() if name not in IDS_AND_TIMES}
    made["steps"] = [
        {name: _without(value, pattern) for name, value in asdict(step).items() if name not in IDS_AND_TIMES}
        for step in record.steps
    ]
    return made


def _without(value: Any, ids: re.Pattern[str]) -> Any:
    if isinstance(value, str):
        return ids.sub("…", value)
    if isinstance(value, Mapping):
        return {name: _without(inner, ids) for name, inner in value.items()}
    return [_without(inner, ids) for inner in value] if isinstance(value, (list, tuple)) else value


def _text(text: str) -> str:
    text = as_utf8(text)
    if len(text) <= MAX_TEXT:
        return text
    return f"{text[:MAX_TEXT]}… {len(text) - MAX_TEXT:,} characters not shown"


def _list(values: Iterable[Any], *, depth: int) -> list[Any]:
    items = sorted(values, key=repr) if isinstance(values, (set, frozenset)) else list(values)
    made = [shown(value, depth=depth + 1) for value in items[:MAX_ITEMS]]
    return [*made, f"… {len(items) - MAX_ITEMS:,} more"] if len(items) > MAX_ITEMS else made


def _mapping(values: Mapping[Any, Any], *, depth: int) -> dict[str, Any]:
    made: dict[str, Any] = {}
    for name, value in list(values.items())[:MAX_ITEMS]:
        made[_text(str(name))] = "…" if _secret_name.search(str(name)) else shown(value, depth=depth + 1)
    return made | ({"…": f"{len(values) - MAX_ITEMS:,} more"} if len(values) > MAX_ITEMS else {})


def _neighbourhood(around: Neighbourhood) -> dict[str, Any]:
    keys = [node.node_key for node in around.nodes]
    more = [f"… {len(keys) - KEYS_SHOWN:,} more"] if len(keys) > KEYS_SHOWN else []
    return {
        "starts": list(around.starts[:KEYS_SHOWN]),
        "nodes": len(around.nodes),
        "edges": len(around.edges),
        "is_cut": around.is_cut,
        "keys": keys[:KEYS_SHOWN] + more,
        "notes": list(around.notes),
    }


def _block(block: EvidenceBlock) -> dict[str, Any]:
    """Show where a text is; the text only where the store cannot give it again."""
    made = {"key": block.key, "kind": block.kind, "tokens": block.tokens, "location": block.location}
    return made if block.kind == "text" and block.location else made | {"text": _text(block.text)}


def _conversation(conversation: Conversation) -> dict[str, Any]:
    summary = conversation.summary
    return {"turns": len(conversation.turns), "summary_version": summary.version if summary else None}


def _field(name: str, value: Any) -> Any:
    if name != "hits":
        return shown(value)
    hits = [{key: hit.get(key) for key in HIT_KEYS if key in hit} for hit in value]
    return shown(hits)


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: list(item) if isinstance(item, list) else item for name, item in value.items()}
    return list(value) if isinstance(value, list) else value


def _differs(before: Any, after: Any) -> bool:
    return before is not after and bool(before != after)
