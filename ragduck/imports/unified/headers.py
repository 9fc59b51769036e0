"""Read the lines that historic SQL chunks begin with: what the object reads, writes and calls."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

TITLE = re.compile(r"\[[^\[\]\n]{1,60}\] [^\n]{1,1000}")
FIELD = re.compile(r"([A-Za-z#()]{1,30}):[ \t]?([^\n]*)")
END = "---"
MOST_LINES = 40
MOST_KEYS = 1_000
RELATIONS = {
    "readsfrom": "ReadsFrom",
    "writesto": "WritesTo",
    "calls": "Calls",
    "executes": "Executes",
    "fk": "ForeignKey",
    "on": "On",
    "synonymfor": "SynonymFor",
    "referencedby(c#)": "ReferencedBy",
}


@dataclass(frozen=True, slots=True)
class Header:
    """What a chunk tells before its body: keys of other objects by relation."""

    keys: Mapping[str, tuple[str, ...]]
    body: str


def header_of(text: str) -> Header | None:
    """Return the header of a SQL chunk and the text below it; None for a text without one."""
    lines = text.split("\n", MOST_LINES)
    if not TITLE.fullmatch(lines[0]) or END not in lines[1:MOST_LINES]:
        return None
    end = lines.index(END)
    body = "\n".join(lines[end + 1 :])
    keys: dict[str, tuple[str, ...]] = {}
    for line in lines[1:end]:
        found = FIELD.fullmatch(line)
        if found is None:
            return None
        if relation := RELATIONS.get(found[1].lower()):
            keys[relation] = tuple(_keys(found[2]))
    return Header(keys, body) if body.strip() else None


def _keys(listed: str) -> list[str]:
    return [key for part in re.split(r"[,;]", listed)[:MOST_KEYS] if (key := part.strip())]
