"""Tell lines that say something from encoded data and from those that only close, part or switch."""

from __future__ import annotations

import re
from collections.abc import Sequence

_LONGEST = 200  # characters; a longer line says something
_CLOSING_TAGS = re.compile(r"(</[\w:.-]+ *>\s*)+$")
# Images, certificates and models in base64, alone in a line but for tags without attributes.
_ENCODED = re.compile(
    r"(?:<[\w:.-]+>\s*)*+(?=[^\s<]*\d)(?=[^\s<]*[a-z])(?=[^\s<]*[A-Z])[A-Za-z0-9+/]{60,}+={0,2}\s*(?:</[\w:.-]+>\s*)*+"
)
_SILENT = {
    "csharp": re.compile(r"#\s*(region|endregion|if|elif|else|endif|pragma|nullable|line)\b"),
    "visualbasic": re.compile(
        r"\#\s*(region|end\s+region|if|else|elseif|end\s+if|const|disable|enable)\b|end\s+\w+$|option\s+\w+(\s+\w+)?$",
        re.IGNORECASE,
    ),
    "sql": re.compile(r"(GO(\s+\d+)?|SET\s+\w+(\s*,\s*\w+)*\s+(ON|OFF))(\s*;)?$", re.IGNORECASE),
    "razor": _CLOSING_TAGS,
    "webforms": _CLOSING_TAGS,
    "html": _CLOSING_TAGS,
    "vue": _CLOSING_TAGS,
    "svelte": _CLOSING_TAGS,
    "xml": _CLOSING_TAGS,
}


def says_something(lines: Sequence[str], *, language: str) -> bool:
    """Say whether any line has a letter or digit beyond directives, batch ends, closing tags and encoded data.

    A chunk of `#endregion` and `}` would have no meaning but that of its title, and be found by every question
    that the title answers. Encoded data is found by questions that nothing else answers.
    """
    silent = _SILENT.get(language)
    return any(any(map(str.isalnum, line)) and not _is_silent(line.strip(), silent) for line in lines)


def _is_silent(line: str, silent: re.Pattern[str] | None) -> bool:
    if len(line) <= _LONGEST and silent is not None and silent.match(line) is not None:
        return True
    return _ENCODED.fullmatch(line) is not None
