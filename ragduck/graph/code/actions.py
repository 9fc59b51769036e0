"""Find the controller and the actions of a view by MVC's conventions: `Views/Order/Details.cshtml`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

from ragduck.facts import Call, FileFacts, Member, MemberFact, Name, Text
from ragduck.graph.code.edges import Site
from ragduck.graph.code.roles import actions_of, is_controller, is_page
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.imports import nearest

CONVENTION = 0.8
VIEW_CALL = 0.95
VIEW_CALLS = frozenset(("View", "PartialView"))
VIEWS = "Views"
AREAS = "Areas"
SHARED = "Shared"
ENDING = "Controller"


class Shown(NamedTuple):
    """A controller or an action that shows a view, and the place that tells so."""

    key: str
    rule: str
    at: Site
    confidence: float


class ViewPlace(NamedTuple):
    """Where a view lies: `Areas/Admin/Views/Order/Edit.cshtml`; ``controller`` is empty for shared ones."""

    name: str
    controller: str
    area: str


class Actions:
    """The controllers of a snapshot with the views that their actions show."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._controllers: defaultdict[str, list[TypeInfo]] = defaultdict(list)
        for info in catalog.types.values():
            if info.name.endswith(ENDING) and is_controller(catalog, info) and not is_page(catalog, info):
                self._controllers[info.name.removesuffix(ENDING).lower()].append(info)
        self._shown = self._views_shown()

    def named(self, controller: str, *, file: FileFacts) -> TypeInfo | None:
        """Return the controller of a name that a view means: of its area and project, else the nearest one."""
        candidates = self._controllers.get(controller.lower(), [])
        place = place_of(file.path)
        area = place.area if place is not None else ""
        best = [one for one in candidates if area_of(one) == area] or candidates
        best = [one for one in best if one.files[0].project == file.project] or best
        return nearest(best, file=file)

    def controller_of(self, file: FileFacts) -> TypeInfo | None:
        """Return the controller in whose folder a view lies."""
        place = place_of(file.path)
        return self.named(place.controller, file=file) if place is not None and place.controller else None

    def keys(self, info: TypeInfo, action: str) -> Iterator[str]:
        """Yield the key of an action by name, of the controller where no action is named."""
        if not action:
            yield info.key
            return
        for member in actions_of(self._catalog, info):
            if _action_name(member) == action.lower():
                yield member.key
                return

    def showing(self, file: FileFacts) -> Iterator[Shown]:
        """Yield the controller of a view and the actions that show it, by what they return or by their name."""
        place = place_of(file.path)
        if place is None:
            return
        info = self.controller_of(file)
        if info is None:
            calling = self._shown.get(("", place.name.lower()), []) if not place.controller else []
            yield from (one for one in calling if self._catalog.files[one.at.path].project == file.project)
            return
        top = Site(file.path, 1)
        yield Shown(info.key, "view folder", top, CONVENTION)
        called = self._shown.get((info.key, place.name.lower()), [])
        yield from called
        if not called:
            yield from (Shown(key, "view name", top, CONVENTION) for key in self.keys(info, place.name))

    def _views_shown(self) -> dict[tuple[str, str], list[Shown]]:
        """Return which calls show which view, per controller and, for shared views, for all of them."""
        shown: defaultdict[tuple[str, str], list[Shown]] = defaultdict(list)
        for infos in self._controllers.values():
            for info in infos:
                for name, one in self._returned(info):
                    shown[info.key, name].append(one)
                    shown["", name].append(one)
        return dict(shown)

    def _returned(self, info: TypeInfo) -> Iterator[tuple[str, Shown]]:
        members = {one.key: one for one in actions_of(self._catalog, info)}
        for file in {one.path: one for one in info.files}.values():
            for fact in file.calls:
                member = members.get(fact.source)
                if member is not None and _function_name(fact.call) in VIEW_CALLS:
                    name = _view_name(fact.call) or _action_name(member)
                    yield name, Shown(member.key, "view call", Site(file.path, fact.line), VIEW_CALL)


def _function_name(call: Call) -> str:
    return call.function.name if isinstance(call.function, (Name, Member)) else ""


def _view_name(call: Call) -> str:
    value = call.arguments[0].value if call.arguments else None
    return PurePosixPath(value.value).stem.lower() if isinstance(value, Text) else ""


def _action_name(member: MemberFact) -> str:
    """Return the name by which an action is routed."""
    for mark in member.attributes:
        value = mark.arguments[0].value if mark.name == "ActionName" and mark.arguments else None
        if isinstance(value, Text):
            return value.value.lower()
    return member.name.removesuffix("Async").lower()


def place_of(path: str) -> ViewPlace | None:
    """Read controller and area off a view's folders; nothing for pages, imports and layouts."""
    parts = PurePosixPath(path).parts
    name = PurePosixPath(path).stem
    if VIEWS not in parts[:-1] or name.startswith("_View") or not path.endswith(".cshtml"):
        return None
    at = len(parts) - 1 - parts[::-1].index(VIEWS)
    folders = parts[at + 1 : -1]
    controller = folders[0] if len(folders) == 1 and folders[0] != SHARED else ""
    area = parts[at - 1] if at > 1 and parts[at - 2] == AREAS else ""
    return ViewPlace(name, controller, area) if folders else None


def area_of(info: TypeInfo) -> str:
    """Return the area of a controller, by its attribute or its namespace."""
    for declared in info.declarations:
        for mark in declared.attributes:
            value = mark.arguments[0].value if mark.name == "Area" and mark.arguments else None
            if isinstance(value, Text):
                return value.value
    _, _, after = f".{info.namespace}.".partition(f".{AREAS}.")
    return after.partition(".")[0]
