"""What a file of markup hands to a database, and the files that it names, each with where it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import NamedTuple

from ragduck.sqlreader.dynamic import Piece

ATTRIBUTES = r'(?:[^<>"]++|"[^"<]*+")*+'  # of a tag, which may have `>` in their values

_MAX_FILE_NAME = 260
_ESCAPE = re.compile(r"_x((?!D[89A-F])[0-9A-F]{4})_", re.IGNORECASE)


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

    def unescaped(self) -> HandedSql:
        """Return the text without the escapes that .NET has for what names of XML may not hold: `_x005B_` is `[`."""
        return self._replace(text=_ESCAPE.sub(lambda one: chr(int(one[1], 16)), self.text))

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
        """Yield the file that a group of a match names, with or without its ending."""
        path = unescape(match[group]).strip()
        path = path if path.lower().endswith(ending) else f"{path}{ending}" if path else ""
        yield from cls.of_path(path, match.start(group), rule)

    @classmethod
    def of_path(cls, path: str, start: int, rule: str) -> Iterator[NamedFile]:
        """Yield the file of a path, unless an expression gives it."""
        name = path.replace("\\", "/").rpartition("/")[2]
        if name and not path.startswith("=") and len(name) <= _MAX_FILE_NAME:
            yield cls(name, start, rule)


def bracketed(name: str) -> str:
    """Return the name of a procedure as a statement writes it: `dbo.Open invoices` has a blank."""
    parts = name.strip().split(".")
    return ".".join(part if part.startswith(("[", '"')) else f"[{part}]" for part in parts)
