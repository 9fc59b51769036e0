"""Know what runs scripts of SQL in the order of their names: a project with such a library, or folders of a tool."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

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


class Runners:
    """What projects and folders say of the scripts below them; projects are read when they are asked for."""

    def __init__(self, files: Sequence[SourceFile], code_page: str) -> None:
        self._code_page = code_page
        self._projects: defaultdict[str, list[SourceFile]] = defaultdict(list)
        self._folders: defaultdict[str, set[str]] = defaultdict(set)
        self._known: dict[str, int] = {}
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
        while True:
            parent, _, last = folder.rpartition("/")
            if last.lower() == _ONE_TIME and self._folders[parent] & _ANY_TIME:
                return RUNS
            if folder in self._projects or not folder:
                return self._of_project(folder)
            folder = parent

    def _of_project(self, folder: str) -> int:
        if folder not in self._known:
            texts = [text_of(file, self._code_page) for file in self._projects[folder]]
            runs, embeds = (any(map(said.search, texts)) for said in (_RUNS, _EMBEDS))
            self._known[folder] = RUNS if runs else EMBEDS if embeds else NONE
        return self._known[folder]
