"""Tell which stored file a link of a Markdown file leads to."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import unquote

Status = Literal["file", "folder", "absent", "outside"]

INDEXES = ("README.md", "readme.md", "Readme.md", "index.md", "_index.md")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]{1,31}:")
_NO_SLUG = re.compile(r"[^\w\- ]")


@dataclass(frozen=True, slots=True)
class Target:
    """Where a link leads within its repository: the path asked for, or the stored file that is meant by it."""

    status: Status
    path: str
    anchor: str


class Files:
    """The stored paths of one branch, and the folders that they are in."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._folded: dict[str, str | None] = {}
        for path in self._paths:
            folded = path.casefold()
            self._folded[folded] = (
                None if folded in self._folded else path
            )  # two that differ by case: neither
        self._folders = frozenset(_folders_of(self._paths))

    def target(self, written: str, *, source: str) -> Target | None:
        """Return where a link in the file ``source`` leads; None for other sites and places in the same file.

        A path that begins with a slash counts from the root. A folder means its readme, a name without ending the
        Markdown file, `.html` the page's source; letter case is minded only when it tells two files apart.
        """
        if _SCHEME.match(written) or written.startswith(("//", "\\\\")):
            return None
        place, _, anchor = written.strip().partition("#")
        place = unquote(place.partition("?")[0]).replace("\\", "/").replace("\0", "")
        if not place:
            return None
        path = _joined(place, source=source)
        if path is None:
            return Target("outside", place, unquote(anchor))
        found = self._stored(path)
        if found == source:
            return None
        if found:
            return Target("file", found, unquote(anchor))
        return Target("folder" if path in self._folders or not path else "absent", path, unquote(anchor))

    def _stored(self, path: str) -> str | None:
        candidates = [path, f"{path}.md", *(posixpath.join(path, name) for name in INDEXES)]
        if path.endswith((".html", ".htm")):
            candidates.append(f"{path.rpartition('.')[0]}.md")
        exact = next((each for each in candidates if each in self._paths), None)
        return exact or next(
            (found for each in candidates if (found := self._folded.get(each.casefold()))), None
        )


def slug(title: str) -> str:
    """Return the anchor that sites make of a heading: lower case, hyphens for spaces, no punctuation."""
    return _NO_SLUG.sub("", title.lower()).strip().replace(" ", "-")


def _joined(place: str, *, source: str) -> str | None:
    """Return a path from the root without dots; None for one that leaves it."""
    if place.startswith("/"):
        joined = posixpath.normpath(place.lstrip("/") or ".")
    else:
        joined = posixpath.normpath(posixpath.join(posixpath.dirname(source), place))
    if joined == ".." or joined.startswith("../"):
        return None
    return "" if joined == "." else joined


def _folders_of(paths: Iterable[str]) -> set[str]:
    folders: set[str] = set()
    for path in paths:
        while path := posixpath.dirname(path):
            if path in folders:
                break
            folders.add(path)
    return folders
