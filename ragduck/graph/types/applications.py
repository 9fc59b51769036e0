"""Tell which files may run in one application: those of projects that some project has both of, by its references."""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import chain

from ragduck.facts import FileFacts, Text
from ragduck.graph.told import digest, of_project
from ragduck.graph.types.catalog import Catalog

MAX_PROJECTS = 1_000  # of one repository that are told apart
PROJECTS = (".csproj", ".vbproj")
# Tests of several applications, and what starts them, do not make them one.
_STARTS_OTHERS = re.compile(r"(?:Tests?|AppHost|Orchestrat\w{0,5})\.(?:cs|vb)proj$", re.IGNORECASE)
REFERENCE = "project-reference"
# What shows how a library is used is no application of it.
_SHOWS = re.compile(r"(?:(?<![A-Za-z])[sed]|(?<![A-Z])[SED])(?:amples?|xamples?|emos?)(?![a-z])")


class Applications:
    """The projects of a snapshot with those that lead to them by references, worked out when they are asked for."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._users: dict[str, frozenset[str]] = {}
        self._folders: dict[str, str] = {}

    def ask_near(self, path: str) -> None:
        """Note that answers near a file are asked for."""
        self._catalog.watch.asked_told(of_project(self.project_of(path)))

    def may_share(self, one: str, other: str) -> bool:
        """Say whether files of two paths may run together; what belongs to no project may run with anything."""
        if len(self._projects) > MAX_PROJECTS:
            return True
        mine, others = self.project_of(one), self.project_of(other)
        if mine == others or not {mine, others}.isdisjoint(self._unknown):
            return True
        return not self._users_of(mine).isdisjoint(self._users_of(others))

    def leads_to(self, one: str, other: str) -> bool:
        """Say whether the project of a path is that of another or refers to it; where that is not known, it may."""
        if len(self._projects) > MAX_PROJECTS:
            return True
        mine, others = self.project_of(one), self.project_of(other)
        if mine == others or not {mine, others}.isdisjoint(self._unknown):
            return True
        return mine in self._users_of(others)

    @cached_property
    def _projects(self) -> dict[str, str]:
        """Return the projects that are known by anything they say, by their folders."""
        paths = {path for path in self._catalog.files if path.lower().endswith(PROJECTS)}
        return {path.rpartition("/")[0]: path.lower() for path in sorted(paths)}

    @property
    def told(self) -> Mapping[str, frozenset[str]]:
        """All that answers depend on."""
        return {**self.used_by, **self.told_of_all}

    @property
    def told_of_all(self) -> Mapping[str, frozenset[str]]:
        """What answers depend on near any file: which projects there are, and of which it is not known."""
        return {"(projects)": frozenset(self._projects.values()), "(unknown)": self._unknown}

    @cached_property
    def told_near(self) -> Mapping[str, str]:
        """What answers depend on beside that near the files of a project, by what is asked for.

        That is which projects refer to it, to which it does, and with which it may run, over however many others:
        each a set of bits, in the order of all paths.
        """
        if len(self._projects) > MAX_PROJECTS:
            return {}
        projects = sorted({*self._projects.values(), *chain(*self.used_by.values())})
        bits = {path: 1 << place for place, path in enumerate(projects)}
        users = {path: sum(bits[one] for one in self._users_of(path)) for path in projects}
        known = dict.fromkeys(projects, 0)
        for path in projects:
            for user in self._users_of(path):
                known[user] |= bits[path]
        running = dict.fromkeys(projects, 0)
        for path in projects:
            for user in self._users_of(path):
                running[path] |= known[user]
        return {of_project(path): digest((users[path], known[path], running[path])) for path in projects}

    @cached_property
    def used_by(self) -> Mapping[str, frozenset[str]]:
        """The projects that refer to a project, by its path in lower case."""
        found: defaultdict[str, set[str]] = defaultdict(set)
        for file in self._catalog.files_calling((REFERENCE,)):
            if file.file_class == "test" or _STARTS_OTHERS.search(file.path):
                continue
            for target in _references(file):
                found[target].add(file.path.lower())
        return {path: frozenset(users) for path, users in found.items()}

    @cached_property
    def _unknown(self) -> frozenset[str]:
        """The projects of which it is not known to what they refer, and what belongs to none."""
        files = self._catalog.files_calling((REFERENCE,))
        found = {file.path.lower() for file in files if any("$(" in target for target in _references(file))}
        return frozenset(found | {""})

    def project_of(self, path: str) -> str:
        """Return the path of the project that a path belongs to, in lower case, or nothing."""
        folder = path.rpartition("/")[0]
        if folder not in self._folders:
            above = folder
            while above and above not in self._projects:
                above = above.rpartition("/")[0]
            self._folders[folder] = self._projects.get(above, "")
        return self._folders[folder]

    def _users_of(self, project: str) -> frozenset[str]:
        """Return a project and all that refer to it, over however many others."""
        if project not in self._users:
            found = {project}
            pending = deque(found)
            while pending:
                fresh = self.used_by.get(pending.popleft(), frozenset()) - found
                found |= fresh
                pending.extend(fresh)
            self._users[project] = frozenset(found)
        return self._users[project]


def is_sample(path: str) -> bool:
    """Say whether a path is one of a sample, by the names of its folders."""
    return _SHOWS.search(path.rpartition("/")[0]) is not None


def _references(file: FileFacts) -> Iterator[str]:
    """Yield the paths of the projects that a project refers to, as they are below the root."""
    folder = file.path.rpartition("/")[0]
    for fact in file.calls:
        for argument in fact.call.arguments:
            if isinstance(argument.value, Text):
                yield posixpath.normpath(posixpath.join(folder, argument.value.value)).lower()
