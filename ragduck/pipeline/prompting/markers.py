"""Recognise lines that begin with something like a protocol prefix, `[Answer:]`, however they are dressed up."""

from __future__ import annotations

import re
from unicodedata import normalize

OPENING = "[［⁅【〔〖〘〚❲⟦⟬⦋⦍⦏﹇⟮"
CLOSING = "]］⁆】〕〗〙〛❳⟧⟭⦌⦎⦐﹈⟯"
COLONS = ":：∶ː˸։׃܃܄፡᛬⁚⁝⸱꞉︓︰﹕"
# Characters that show nothing, so that what they stand between reads as if they were not there.
INVISIBLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U000e0000-\U000e0fff\u0000-\u0008\u000e-\u001b\u007f-\u0084"
    "\u0086-\u009f"
)
LONGEST = 200  # characters of a line, after its marks, that are looked at

_invisible = re.compile(f"[{INVISIBLE}]+")
_open, _close = re.escape(OPENING), re.escape(CLOSING)
# Blanks, quotes, marks of Markdown, numbers of lists, and brackets around brackets: each alternative begins
# with another character and none is taken back, so that a long line takes linear time.
_marks = re.compile(rf"(?:[^\w{_open}]|_|[0-9]{{1,9}}[.)]|[{_open}](?=[^\w{_open}]*+[{_open}]))*+")
_alike = str.maketrans(dict.fromkeys(OPENING, "[") | dict.fromkeys(CLOSING, "]") | dict.fromkeys(COLONS, ":"))
_marker = re.compile(r"\[([^\[\]]*):\s*\]")
_blanks = re.compile(r"[\s_\-]+")


def start_of_words(line: str) -> str:
    """Return the beginning of a line as a reader sees it, without the marks before its first word or bracket."""
    seen = line if line.isascii() and line.isprintable() else _invisible.sub("", line)
    marks = _marks.match(seen)
    rest = seen[marks.end() if marks else 0 :][:LONGEST]
    return normalize("NFKC", rest.translate(_alike)).translate(_alike)


def marker_of(line: str) -> str | None:
    """Return the name within a marker such as `[Requesting data on:]` that a line begins with, else None.

    Names are compared in small letters with single blanks: `requesting data on`.
    """
    found = _marker.match(start_of_words(line))
    name = marker_name(found[1]) if found else ""
    return name if any(character.isalpha() for character in name) else None


def marker_name(text: str) -> str:
    """Return the name of a marker in the form in which names are compared."""
    return _blanks.sub(" ", text.casefold()).strip()
