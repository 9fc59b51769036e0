"""Know what runs scripts of SQL in the order of their names: a project with such a library, or folders of a tool.

Where a project embeds scripts, or else names some that are copied along, it runs those, and not what else lies in its
folders: reports, scripts for operators.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from ragduck.model import SourceFile
from ragduck.sources.script_statements import text_of

NONE, EMBEDS, RUNS = 0, 1, 2

_PROJECTS = (".csproj", ".vbproj", ".fsproj")
_PACKAGES = "packages.config"
_RUNS = re.compile(
    r"\b(?:include|id)\s*=\s*[\"'](?:dbup|evolve|grate|roundhouse|yuniql|aliasql)\b", re.IGNORECASE
)
_EMBEDS = re.compile(
    r"\b(?:include|id)\s*=\s*[\"']FluentMigrator\b|<EmbeddedResource\s[^>\n]{0,300}\.sql[\"']", re.IGNORECASE
)
_SHIPPED = re.compile(
    r"<(?:(EmbeddedResource)|Content|None)\s[^>\n]{0,200}?\b(?:include|update)\s*=\s*[\"']([^\"'\n]{1,2000})[\"']",
    re.IGNORECASE,
)
_OPEN = re.compile(r"[*?$%@]")  # a pattern, or what only a build knows
_DIGIT = re.compile(r"\d")
_ONE_TIME = "up"  # of RoundhousE and grate
_ANY_TIME = frozenset(
    (
        "sprocs",
        "views",
        "functions",
        "runaftercreatedatabase",
        "runbeforeup",
        "runfirstafterup",
        "runfirstafterupdate",
        "runafterotheranytimescripts",
    )
)


class _Project(NamedTuple):
    """What a project does with scripts, and the folders of those that go along with it; none where it names none."""

    does: int
    folders: frozenset[str]


class Runners:
    """What projects and folders say of the scripts below them; projects are read when they are asked for."""

    def __init__(self, files: Sequence[SourceFile], code_page: str) -> None:
        self._code_page = code_page
        self._projects: defaultdict[str, list[SourceFile]] = defaultdict(list)
        self._folders: defaultdict[str, set[str]] = defaultdict(set)
        self._known: dict[str, _Project] = {}
        for file in files:
            folder, _, name = file.path.rpartition("/")
            lowered = name.lower()
            if lowered.endswith(_PROJECTS) or lowered == _PACKAGES:
                self._projects[folder].append(file)
            elif lowered.endswith(".sql"):
                parent, _, last = folder.rpartition("/")
                self._folders[parent].add(last.lower())

    def of(self, folder: str) -> int:
        """Return what is said of scripts in a folder by the nearest project, or by the folders beside it."""
        asked = folder
        while True:
            parent, _, last = folder.rpartition("/")
            if last.lower() == _ONE_TIME and self._folders[parent] & _ANY_TIME:
                return RUNS
            if folder in self._projects or not folder:
                project = self._project(folder)
                is_told = not project.folders or not project.folders.isdisjoint((*with_parents(asked), "."))
                return project.does if is_told else NONE
            folder = parent

    def _project(self, folder: str) -> _Project:
        if folder not in self._known:
            texts = [text_of(file, self._code_page) for file in self._projects[folder]]
            runs, embeds = (any(map(said.search, texts)) for said in (_RUNS, _EMBEDS))
            does = RUNS if runs else EMBEDS if embeds else NONE
            told = {one for text in texts for one in _shipped(text)} if does else set()
            embedded = {one for one, is_embedded in told if is_embedded} or {one for one, _ in told}
            folders = (posixpath.normpath(posixpath.join(folder, one)) for one in embedded)
            self._known[folder] = _Project(does, frozenset(folders))
        return self._known[folder]


def _shipped(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the folders, within that of a project, whose scripts go along with it, and whether it embeds them.

    A number in them is one of many.
    """
    for found in _SHIPPED.finditer(text):
        is_embedded = found[1] is not None
        for pattern in found[2].replace("\\", "/").split(";"):
            if pattern.lower().endswith((".sql", "*") if is_embedded else ".sql"):
                *parents, _ = pattern.strip().split("/")
                plain = takewhile(lambda part: _OPEN.search(part) is None, parents)
                yield without_numbers("/".join(plain)), is_embedded


def with_parents(folder: str) -> Iterator[str]:
    """Yield a folder and those around it, but for the root of all."""
    while folder:
        yield folder
        folder = folder.rpartition("/")[0]


def without_numbers(folder: str) -> str:
    """Return where scripts lie: `Release 1/Sprint07` is a part of their order."""
    parts = folder.split("/")
    while parts and _DIGIT.search(parts[-1]):
        parts.pop()
    return "/".join(parts)
