"""What a file of markup hands to a database, and the files that it names, each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from ragduck.sqlreader.dynamic import Piece

ATTRIBUTES = r'(?:[^<>"]++|"[^"<]*+")*+'  # of a tag, which may have `>` in their values

_MAX_FILE_NAME = 260


class HandedSql(NamedTuple):
    """A text that goes to a database, the character that it begins at, and how many lines it has in the file.

    ``is_sure`` is false for what may be another text when a package or report runs. ``pieces`` are those that a text
    is put together of, with lines from 1.
    """

    text: str
    start: int
    lines: int = 1
    is_sure: bool = True
    pieces: tuple[Piece, ...] = ()

    @classmethod
    def of_group(cls, match: re.Match[str], group: str) -> HandedSql:
        """Return what a group of a match holds, without entities; line ends may be entities, too."""
        raw = match[group]
        return cls(unescape(raw), match.start(group), raw.count("\n") + 1)

    def moved(self, start: int) -> HandedSql:
        """Return the text of a stretch that begins at a character of the file."""
        return self._replace(start=self.start + start)

    def within(self, before: str, after: str = "") -> HandedSql:
        """Return the text between others that make a statement of it."""
        return self._replace(text=f"{before}{self.text}{after}")


class NamedFile(NamedTuple):
    """A file that another one names: a report on a server has a folder that no checkout has."""

    name: str
    start: int
    rule: str

    @classmethod
    def of_group(cls, match: re.Match[str], group: str, *, ending: str, rule: str) -> Iterator[NamedFile]:
        """Yield the file that a group of a match names, unless an expression gives its name."""
        path = unescape(match[group]).strip()
        name = path.replace("\\", "/").rpartition("/")[2]
        if name and not path.startswith("=") and len(name) <= _MAX_FILE_NAME:
            yield cls(name if name.lower().endswith(ending) else f"{name}{ending}", match.start(group), rule)


def bracketed(name: str) -> str:
    """Return the name of a procedure as a statement writes it: `dbo.Open invoices` has a blank."""
    parts = name.strip().split(".")
    return ".".join(part if part.startswith(("[", '"')) else f"[{part}]" for part in parts)
