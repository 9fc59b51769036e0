"""Read which functions the template of a component of Vue names for events: `@click="save"`, `@input="find($event)"`.

What the template declares for itself, the variables of `v-for` and of slots, is no function of the component.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from ragduck.facts import TEMPLATE_EVENT, ViewFact

_COMMENT = re.compile(r"<!--(?:[^-]++|-(?!->))*+(?:-->)?+")
_EVENT = re.compile(
    r"(?<=\s)(?:@|v-on:)[\w.:-]{1,80}\s{0,9}=\s{0,9}(?:\"(?P<value>[^\"]{1,1000})\"|'([^']{1,1000})')"
)
_DECLARING = re.compile(
    r"(?<=\s)(?:v-slot(?::[\w.-]{1,80})?|#[\w.-]{1,80}|slot-scope|v-for)\s{0,9}=\s{0,9}\"(?P<names>[^\"]{1,1000})\""
)
_ITERATED = re.compile(r"\s(?:in|of)\s.*", re.DOTALL)  # of `v-for`: the names stand before it
_NAMED = re.compile(r"\s*(?:this\.)?([A-Za-z_$][\w$]{0,100})\s*")
_CALLED = re.compile(r"(?<![\w$.])(?:this\.)?([A-Za-z_$][\w$]{0,100})\s{0,9}\(")
_TEXT = re.compile(r"'[^'\n]*'|\"[^\"\n]*\"|`[^`]*`")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_NO_FUNCTIONS = frozenset(("function", "if", "for", "while", "switch", "catch", "return", "await", "typeof"))


def template_events(markup: str) -> Iterator[ViewFact]:
    """Yield what the markup of a component, with blanks in place of its scripts, names for events, each once."""
    text = _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), markup)
    declared = {name for found in _DECLARING.finditer(text) for name in _declared(found["names"])}
    ends = [found.start() for found in re.finditer(r"\n", text)]
    seen: set[str] = set()
    for found in _EVENT.finditer(text):
        for name in _names_in(found["value"] or found[2]):
            if name not in declared and name not in seen and name not in _NO_FUNCTIONS:
                seen.add(name)
                yield ViewFact(name, TEMPLATE_EVENT, bisect_right(ends, found.start()) + 1)


def _declared(written: str) -> list[str]:
    return _WORD.findall(_ITERATED.sub("", written))


def _names_in(value: str) -> list[str]:
    """Return the function that a value is, or those that it calls."""
    named = _NAMED.fullmatch(value)
    return [named[1]] if named is not None else _CALLED.findall(_TEXT.sub("", value))
