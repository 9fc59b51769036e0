"""Tell which projects of C# refer to which, by the namespaces that their files open: nothing says so outright."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import TypeAlias

from ragduck.facts import FileFacts
from ragduck.graph.types.declarations import Declarations, family_of, outward
from ragduck.graph.types.visibility import Visibility

Project: TypeAlias = str | None


class ProjectReferences:
    """What is found out about a project is kept, and nothing is looked at before it is asked for."""

    def __init__(self, declarations: Declarations, visibility: Visibility) -> None:
        self._declarations = declarations
        self._visibility = visibility
        self._opened: dict[Project, AbstractSet[Project]] = {}

    def may_refer(self, project: Project, others: AbstractSet[Project]) -> bool:
        """Say whether a project refers to one of some others: it opens a namespace that only this one declares.

        Of one that declares nothing within namespaces that cannot be told, so it may.
        """
        if not others <= self._with_namespaces:
            return True
        if project not in self._opened:
            self._opened[project] = frozenset(self._opened_by(project))
        return not self._opened[project].isdisjoint(others)

    def _opened_by(self, project: Project) -> Iterator[Project]:
        """Yield the other projects of which a project opens a namespace, or stands below it."""
        namespaces: set[str] = set()
        for file in self._files.get(project, ()):
            sight = self._visibility.of(file)
            namespaces.update(sight.opened, outward(sight.namespace))
        for namespace in namespaces:
            others = self._declaring.get(namespace, frozenset()) - {project}
            if len(others) == 1:
                yield from others

    @cached_property
    def _files(self) -> Mapping[Project, Sequence[FileFacts]]:
        files: defaultdict[Project, list[FileFacts]] = defaultdict(list)
        for file in self._declarations.files.values():
            if family_of(file.language) == "csharp":
                files[file.project].append(file)
        return files

    @cached_property
    def _declaring(self) -> Mapping[str, AbstractSet[Project]]:
        """The projects that declare types in a namespace, by its name."""
        projects: defaultdict[str, set[Project]] = defaultdict(set)
        for info in self._declarations.types.values():
            if info.language == "csharp" and info.namespace:
                projects[info.namespace].update(file.project for file in info.files)
        return projects

    @cached_property
    def _with_namespaces(self) -> AbstractSet[Project]:
        return frozenset(project for projects in self._declaring.values() for project in projects)
