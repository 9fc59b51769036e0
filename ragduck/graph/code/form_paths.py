"""Find the file that a Web Form, a script or code names by its path: `~/Orders/Edit.aspx`, `../Mail.asmx`."""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ragduck.facts import FileFacts

SURE, ELSEWHERE = 1.0, 0.8  # of a form that lies below the root, or elsewhere


class FoundForm(NamedTuple):
    """The file that a form or method names."""

    path: str
    confidence: float


class FormPaths:
    """Find the file that a form names, by a path from its own folder or from the root of its application.

    The root is a folder above the form below which the path leads somewhere: the nearest with a project or an
    application file, else the topmost. What lies elsewhere is put there when it is built: the only one is meant.
    """

    def __init__(self, paths: Iterable[str], files: Iterable[str]) -> None:
        self._by_name: Mapping[str, list[str]] = defaultdict(list)
        for path in sorted(paths):
            self._by_name[posixpath.basename(path).lower()].append(path)
        self._roots = {
            posixpath.dirname(path)
            for path in files
            if path.lower().endswith((".csproj", ".vbproj", "global.asax"))
        }

    def find(self, written: str, *, file: FileFacts) -> FoundForm | None:
        """Return the form that is named; None if there is none, or more than one that may be meant."""
        path = written.strip().replace("\\", "/")
        candidates = self._by_name.get(posixpath.basename(path).lower(), []) if path else []
        folder = posixpath.dirname(file.path)
        if not path.startswith(("~", "/")):
            beside = posixpath.normpath(posixpath.join(folder, path)).lower()
            found = next((one for one in candidates if one.lower() == beside), None)
            return FoundForm(found, SURE) if found is not None else None
        ending = "/" + posixpath.normpath(path.lstrip("~/")).lower()
        by_root = {
            one[: len(one) - len(ending) + 1].rstrip("/"): one
            for one in candidates
            if f"/{one}".lower().endswith(ending)
        }
        above = sorted((root for root in by_root if _is_above(root, folder)), key=len)
        marked = [root for root in above if root in self._roots]
        if above:
            return FoundForm(by_root[marked[-1] if marked else above[0]], SURE)
        return FoundForm(next(iter(by_root.values())), ELSEWHERE) if len(by_root) == 1 else None


def _is_above(root: str, folder: str) -> bool:
    return not root or folder == root or folder.startswith(f"{root}/")
