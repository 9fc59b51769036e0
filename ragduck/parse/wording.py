"""Tell lines that say something from those that only close, part or switch what stands around them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST = 200  # characters; a longer line says something
_CLOSING_TAGS = re.compile(r"(</[\w:.-]+ *>\s*)+$")
_SILENT = {
    "csharp": re.compile(r"#\s*(region|endregion|if|elif|else|endif|pragma|nullable|line)\b"),
    "sql": re.compile(r"(GO(\s+\d+)?|SET\s+\w+(\s*,\s*\w+)*\s+(ON|OFF))(\s*;)?$", re.IGNORECASE),
    "razor": _CLOSING_TAGS,
    "html": _CLOSING_TAGS,
    "xml": _CLOSING_TAGS,
}


def says_something(lines: Sequence[str], *, language: str) -> bool:
    """Say whether any line has a letter or digit beyond directives, batch ends and closing tags.

    A chunk of `#endregion` and `}` would have no meaning but that of its title, and be found by every question
    that the title answers.
    """
    silent = _SILENT.get(language)
    return any(
        any(map(str.isalnum, line)) and not (silent is not None and _is_silent(line.strip(), silent))
        for line in lines
    )


def _is_silent(line: str, silent: re.Pattern[str]) -> bool:
    return len(line) <= _LONGEST and silent.match(line) is not None
