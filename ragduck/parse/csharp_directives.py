"""Write what stands behind directives so that the grammar of C# takes it for their text; no byte moves."""

from __future__ import annotations

import re

_TEXT = re.compile(rb"^[ \t]*#[ \t]*(?:region|endregion|error|warning|pragma)\b[^\n]*", re.MULTILINE)
# No comment begins there, `#region text/*`, and no line goes on in the next one, `#region C:\temp\`.
_MISREAD = re.compile(rb"/\*|\\$")


def readable_directives(source: bytes) -> bytes:
    """Write a comment that ends with its line for one that goes on, and nothing for a line that does."""
    return _TEXT.sub(_readable, source)


def _readable(directive: re.Match[bytes]) -> bytes:
    return _MISREAD.sub(lambda misread: b"//" if misread[0] == b"/*" else b" ", directive[0])
