"""Find the scripts that sqlcmd puts into a script: `:r .\\Lookups\\States.sql`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ragduck.facts import INCLUDES, ObjectName, ReferenceFact

_RULE = "include"
_INCLUDE = re.compile(
    r"/\*(?:[^*]++|\*(?!/))*+(?:\*/|\Z)"
    r"|--[^\n]*+"
    r"|N?'[^']*+(?:'|\Z)"
    r"|^[ \t]*+:r[ \t]++(?:\"(?P<quoted>[^\"\r\n]{1,300})\"|(?P<bare>[^\s\"][^\"\r\n]{0,299}))[ \t\r]*+$",
    re.IGNORECASE | re.MULTILINE,
)


def included_scripts(text: str, *, source: str) -> Iterator[ReferenceFact]:
    """Yield the paths of the scripts that a text includes, as written; those in comments and strings are none."""
    if ":r" not in text.lower():
        return
    line, at = 1, 0
    for match in _INCLUDE.finditer(text):
        written = match["quoted"] or match["bare"]
        if written:
            line, at = line + text.count("\n", at, match.start()), match.start()
            yield ReferenceFact(source, ObjectName(written.strip()), INCLUDES, line, "FILE", _RULE)
