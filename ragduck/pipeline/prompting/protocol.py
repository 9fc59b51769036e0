"""Read what a model answered: prefixes as seed 003 has them, strictly, and decisions as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ragduck.pipeline.prompting.markers import marker_name, marker_of
from ragduck.untrusted_json import is_deep

ROUTER_PREFIXES: Mapping[str, str] = {
    "semantic": "[SEMANTIC:]",
    "semantic_rerank": "[SEMANTIC_RERANK:]",
    "bm25": "[BM25:]",
    "hybrid": "[HYBRID:]",
    "direct": "[DIRECT:]",
}
ANSWER_PREFIXES: Mapping[str, str] = {"answer": "[Answer:]", "requesting_data": "[Requesting data on:]"}
PREFIX_SHAPE = re.compile(r"\[[^\[\]\n:]{1,60}:\]")
MAX_DECISION = 20_000  # characters in which a JSON object is looked for
MAX_TRIES = 50  # braces that may turn out not to begin an object

KNOWN = (*ROUTER_PREFIXES.values(), *ANSWER_PREFIXES.values())


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model said under a prefix. ``kind`` is None when it broke the protocol; ``breach`` says how."""

    kind: str | None
    text: str = ""
    prefix: str | None = None
    breach: str | None = None


def parse_prefix(response: str, prefixes: Mapping[str, str], *, one_line: bool = False) -> Reply:
    """Return the reply under the one prefix it begins with; ``prefixes`` are the allowed ones by kind.

    Blanks around the whole response do not count. It breaks the protocol to have no prefix, another one at the
    beginning of a line, one of the allowed ones anywhere else, or, with ``one_line``, a second line.
    """
    reply = response.strip()
    kind = next((kind for kind, prefix in prefixes.items() if reply.startswith(prefix)), None)
    if kind is None:
        return Reply(None, breach="it does not begin with a known prefix")
    prefix = prefixes[kind]
    text = reply.removeprefix(prefix).strip()
    if one_line and len(reply.splitlines()) > 1:
        return Reply(None, breach="it has more than one line")
    if any(other in text for other in prefixes.values()) or begins_with_prefix(text, prefixes):
        return Reply(None, breach="it has more than one prefix")
    return Reply(kind, text, prefix)


def begins_with_prefix(text: str, prefixes: Mapping[str, str] | None = None) -> bool:
    """Tell whether any line begins with a protocol prefix or what a reader takes for one."""
    known = _names(prefixes)
    return any(marker_of(line) in known for line in text.splitlines())


def parse_decision(response: str) -> dict[str, Any] | None:
    """Return the one JSON object in a response, whatever stands around it; None when there is not exactly one.

    An object with halves of characters, which no text can hold, is none.
    """
    if len(response) > MAX_DECISION:
        return None
    found = list(_objects(response))
    return found[0] if len(found) == 1 and _is_text(found[0]) else None


def _names(prefixes: Mapping[str, str] | None) -> frozenset[str]:
    return frozenset(marker_name(prefix[1:-2]) for prefix in (*KNOWN, *(prefixes or {}).values()))


def _is_text(value: object) -> bool:
    try:
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _objects(text: str) -> Iterator[dict[str, Any]]:
    decoder = json.JSONDecoder()
    position, tries = text.find("{"), 0
    while position >= 0 and tries < MAX_TRIES:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            end = position + 1
        else:
            if not is_deep(value):
                yield value
        position = text.find("{", end)
