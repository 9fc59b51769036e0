"""Find the file that a Web Form, a script or code names by its path: `~/Orders/Edit.aspx`, `../Mail.asmx`."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ragduck.facts import FileFacts

SURE, ELSEWHERE = 1.0, 0.8  # of a form that lies below the root, or elsewhere
GUESSED = 0.7  # of the only form of a name in a project

_MODULES = "desktopmodules/"  # of DotNetNuke, below which modules are installed
_MOST_FOLDERS = 3  # of a module: `Company/Orders`

_REQUESTED = re.compile(
    r"\.(?:aspx|ashx|asmx)(?:\.\w+)*", re.IGNORECASE
)  # ends what browsers ask for, and its code


class FoundForm(NamedTuple):
    """The file that a form or method names."""

    path: str
    confidence: float


class FormPaths:
    """Find the file that a form names, by a path from its own folder or from the root of its application.

    The root is a folder above the form below which the path leads somewhere: the nearest with a project or an
    application file, else the topmost. What lies elsewhere is put there when it is built: the only one is meant.
    """

    def __init__(self, paths: Iterable[str], files: Mapping[str, FileFacts]) -> None:
        self._files = files
        self._by_name: Mapping[str, list[str]] = defaultdict(list)
        for path in sorted(paths):
            self._by_name[posixpath.basename(path).lower()].append(path)
        self._roots = {
            posixpath.dirname(path)
            for path in files
            if path.lower().endswith((".csproj", ".vbproj", "global.asax"))
        }

    def find(self, written: str, *, file: FileFacts, is_own: bool = False) -> FoundForm | None:
        """Return the form that is named; None if there is none, or more than one that may be meant.

        ``is_own`` says that a form of a module is one of the project that names it.
        """
        path = _cleaned(written)
        folder = posixpath.dirname(file.path)
        if not path.startswith(("~", "/")):
            beside = posixpath.normpath(posixpath.join(folder, path)).lower()
            found = next((one for one in self._named(path) if one.lower() == beside), None)
            return FoundForm(found, SURE) if found is not None else None
        by_root = self._by_root(path)
        root = self._root_above(by_root, folder)
        if root is not None:
            return FoundForm(by_root[root], SURE)
        if len(by_root) == 1:
            return FoundForm(next(iter(by_root.values())), ELSEWHERE)
        return self._in_module(path, folder, is_own=is_own) if not by_root else None

    def installed(self, written: str, *, file: FileFacts) -> FoundForm | None:
        """Return the form that the manifest of a module names: of that module, or beside it."""
        path = _cleaned(written)
        return self.find(f"~/{path}" if path.lower().startswith(_MODULES) else path, file=file, is_own=True)

    def _in_module(self, path: str, folder: str, *, is_own: bool) -> FoundForm | None:
        """Return the form of a module that stands elsewhere than where it is installed.

        `~/DesktopModules/Orders/Parts/Icons.ascx` is `Parts/Icons.ascx` of the project of the module, or lies in a
        folder that is called as the module is. A `View.ascx`, which each module may have, has to be the only one.
        """
        written = posixpath.normpath(path.lstrip("~/"))
        if not written.lower().startswith(_MODULES):
            return None
        parts = written.split("/")[1:]
        named = self._by_root("/".join(parts)) if len(parts) > 1 else {}
        if named:
            return FoundForm(next(iter(named.values())), ELSEWHERE) if len(named) == 1 else None
        for start in range(1, min(len(parts), _MOST_FOLDERS + 1)):
            by_root = self._by_root("/".join(parts[start:]))
            root = self._root_above(by_root, folder)
            is_single = start + 1 == len(parts) and not is_own
            if root in self._roots and not (is_single and len(by_root) > 1):
                return FoundForm(by_root[root], GUESSED if is_single else ELSEWHERE)
        return None

    def requested(self, written: str, *, file: FileFacts) -> FoundForm | None:
        """Return the form to which a file sends the browser.

        A relative path counts from the page that was requested. Where the file is none that may be any: mostly one
        at the root, else the only form of the project is meant.
        """
        path = _cleaned(written)
        found = self.find(path, file=file)
        is_page = _REQUESTED.search(posixpath.basename(file.path)) is not None
        if found is not None or is_page or not path or path.startswith(("~", "/")):
            return found
        by_root = self._by_root(posixpath.normpath(f"/{path}"))
        root = self._root_above(by_root, posixpath.dirname(file.path))
        if root is not None:
            return FoundForm(by_root[root], ELSEWHERE)
        own = [one for one in by_root.values() if self._project_of(one) == file.project]
        return FoundForm(own[0], GUESSED) if len(own) == 1 else None

    def _named(self, path: str) -> list[str]:
        return self._by_name.get(posixpath.basename(path).lower(), []) if path else []

    def _by_root(self, path: str) -> Mapping[str, str]:
        """Return the forms at the end of a path, by the folders from which it would count."""
        ending = "/" + posixpath.normpath(path.lstrip("~/")).lower()
        return {
            one[: len(one) - len(ending) + 1].rstrip("/"): one
            for one in self._named(path)
            if f"/{one}".lower().endswith(ending)
        }

    def _root_above(self, roots: Iterable[str], folder: str) -> str | None:
        """Return the root of the application that a folder is of, among some."""
        above = sorted((root for root in roots if _is_above(root, folder)), key=len)
        marked = [root for root in above if root in self._roots]
        return (marked[-1] if marked else above[0]) if above else None

    def _project_of(self, path: str) -> str | None:
        file = self._files.get(path)
        return file.project if file is not None else None


def _cleaned(written: str) -> str:
    return written.strip().replace("\\", "/")


def _is_above(root: str, folder: str) -> bool:
    return not root or folder == root or folder.startswith(f"{root}/")
