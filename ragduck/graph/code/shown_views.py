"""Find the controller and the actions that show a view: by what they return, else by MVC's conventions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import cached_property
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import CallFact, FileFacts, MemberFact
from ragduck.graph.code.actions import (
    ENDING,
    VIEWS,
    Actions,
    ViewPlace,
    place_of,
    routed_name,
    without_ending,
)
from ragduck.graph.code.edges import Site
from ragduck.graph.code.roles import actions_of
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.chains import argument, function_name
from ragduck.graph.types.literals import text_of

CONVENTION = 0.8
VIEW_CALL = 0.95
VIEW_CALLS = frozenset(("View", "PartialView"))


class Shown(NamedTuple):
    """A controller or an action that shows a view, and the place that tells so."""

    key: str
    rule: str
    at: Site
    confidence: float


class ShownViews:
    """The views that the actions of a snapshot show."""

    def __init__(self, catalog: Catalog, actions: Actions, *, by_name: Mapping[str, Sequence[str]]) -> None:
        self._catalog = catalog
        self._actions = actions
        self._files = by_name
        self._by_name: defaultdict[tuple[str, str], list[Shown]] = defaultdict(list)
        self._anywhere: defaultdict[str, list[tuple[TypeInfo, Shown]]] = defaultdict(list)
        self._by_path: defaultdict[str, list[Shown]] = defaultdict(list)
        self._calling = {file.path for file in catalog.files_calling(VIEW_CALLS)}
        for info in actions.controllers:
            for member, file, fact in self._calls(info):
                self._read(member, file, fact, info=info)

    def showing(self, file: FileFacts) -> Iterator[Shown]:
        """Yield the controller of a view and the actions that show it, by what they return or by their name."""
        by_path = self._by_path.get(file.path, [])
        yield from by_path
        place = place_of(file.path)
        if place is None:
            return
        info = self._actions.controller_of(file)
        if info is None:
            yield from self._without_controller(file, place)
            return
        top = Site(file.path, 1)
        yield Shown(info.key, "view folder", top, CONVENTION)
        called = self._by_name.get((info.key, place.name.lower()), [])
        if place.is_deep:
            is_hidden = place.is_template or self._has_own(info, place.name, file=file, is_deep=False)
            yield from (one._replace(confidence=CONVENTION) for one in called if not is_hidden)
            return
        yield from called
        if not (called or by_path):
            keys = self._actions.keys(info, place.name)
            yield from (Shown(key, "view name", top, CONVENTION) for key in keys)

    def _without_controller(self, file: FileFacts, place: ViewPlace) -> Iterator[Shown]:
        """Yield the actions of the project that return a view of that name and have none of their own."""
        if place.is_template or (place.controller and not place.is_deep):
            return
        for info, shown in self._anywhere.get(place.name.lower(), ()):
            is_near = self._catalog.files[shown.at.path].project == file.project
            if is_near and not self._has_own(info, place.name, file=file):
                yield shown

    def _has_own(self, info: TypeInfo, name: str, *, file: FileFacts, is_deep: bool | None = None) -> bool:
        """Say whether the project of a file has a view of a name in the folder of a controller, or one below."""
        folder = info.name.removesuffix(ENDING).lower()
        found = self._depths.get((file.project, name.lower(), folder), frozenset())
        return bool(found) if is_deep is None else is_deep in found

    @cached_property
    def _depths(self) -> Mapping[tuple[str | None, str, str], Set[bool]]:
        """Whether views are deep, by project, name and the folder of their controller; templates are left out."""
        found: defaultdict[tuple[str | None, str, str], set[bool]] = defaultdict(set)
        for name, paths in self._files.items():
            for path in paths:
                place = place_of(path)
                if place is not None and not place.is_template:
                    project = self._catalog.files[path].project
                    found[project, name, place.controller.lower()].add(place.is_deep)
        return found

    def _calls(self, info: TypeInfo) -> Iterator[tuple[MemberFact, FileFacts, CallFact]]:
        """Yield the calls by which the actions of a controller return views."""
        files = {one.path: one for one in info.files if one.path in self._calling}
        members = {one.key: one for one in actions_of(self._catalog, info)} if files else {}
        for file in files.values():
            for fact in file.calls:
                member = members.get(fact.source)
                if member is not None and function_name(fact.call) in VIEW_CALLS:
                    yield member, file, fact

    def _read(self, member: MemberFact, file: FileFacts, fact: CallFact, *, info: TypeInfo) -> None:
        given = argument(fact.call, 0, name="viewName")
        name = text_of(given, catalog=self._catalog, file=file, source=fact.source) or ""
        shown = Shown(member.key, "view call", Site(file.path, fact.line), VIEW_CALL)
        if "/" in name:
            for path, confidence in self._found(name, file=file):
                self._by_path[path].append(shown._replace(confidence=confidence))
        else:
            name = without_ending(name).lower() or routed_name(member, catalog=self._catalog)
            self._by_name[info.key, name].append(shown)
            self._anywhere[name].append((info, shown))

    def _found(self, name: str, *, file: FileFacts) -> Iterator[tuple[str, float]]:
        """Yield the files of a view that is named by its path.

        The path counts from the root of the application. A view of the own project may be put elsewhere when that is
        built: below `Views` the path stays what it is.
        """
        written = PurePosixPath(name.replace("../", "").lstrip("~/"))
        candidates = self._files.get(without_ending(written.name).lower(), ())
        own = [path for path in candidates if self._catalog.files[path].project == file.project]
        exact = _ending(own, written.parts) or _ending(candidates, written.parts)
        if len(exact) == 1:
            yield exact[0], VIEW_CALL
        below = written.parts[written.parts.index(VIEWS) :] if VIEWS in written.parts else ()
        built = [path for path in _ending(own, below) if path not in exact] if below != written.parts else []
        if len(built) == 1 and not set(own).intersection(exact):
            yield built[0], CONVENTION


def _ending(paths: Sequence[str], parts: Sequence[str]) -> list[str]:
    """Return the paths that end in some folders and a name."""
    ending = "/".join(("", *parts)).lower().removesuffix(".cshtml")
    return (
        [path for path in paths if f"/{path}".lower().removesuffix(".cshtml").endswith(ending)]
        if parts
        else []
    )
