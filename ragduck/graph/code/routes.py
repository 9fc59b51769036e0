"""Find routes and where they lead: `MapRoute("Cart", "cart", new { controller = "Cart", action = "Show" })`."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from ragduck.facts import Call, CallFact, Expression, FileFacts, MemberFact, New
from ragduck.graph.code.actions import ActionName, Actions, Elsewhere
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.roles import actions_of
from ragduck.graph.code.route_calls import MAPPING, mapping_names, namespaces_of
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name
from ragduck.graph.types.literals import text_of

MAPS = "maps route"
ANY = "{}"  # a segment of a path that is a parameter
SURE = 0.95
PATTERNS = ("pattern", "url", "template", "routeTemplate")

_ATTRIBUTE = re.compile(r"\w*Route|AcceptVerbs|Http\w+")
_OPEN = re.compile(r"\{(?P<name>controller|action)(?:=(?P<default>\w+))?\}", re.IGNORECASE)


class Route(NamedTuple):
    """A route with the key of the action, or controller, that it leads to; ``file`` declares it.

    An open one leads to any controller or action, and to this one where none is given.
    """

    name: str
    key: str
    file: FileFacts
    is_open: bool = False


class Scene(NamedTuple):
    """Where an expression stands, so that it can be evaluated."""

    catalog: Catalog
    file: FileFacts
    source: str

    def text(self, value: Expression) -> str | None:
        """Return the string that an expression stands for, if the code tells."""
        return text_of(value, catalog=self.catalog, file=self.file, source=self.source)

    def first(self, call: Call, position: int, *names: str) -> str:
        """Return the string that a call is given by one of several names or else by position, "" if it is none."""
        texts = (self.text(argument(call, position, name=name)) for name in names)
        return next((text for text in texts if text), "")

    def values(self, value: Expression) -> Mapping[str, str]:
        """Return the controller, action and area that an anonymous object names."""
        if not isinstance(value, New) or value.type:
            return {}
        texts = {one.name.lower(): self.text(one.value) for one in value.arguments}
        return {name: text for name, text in texts.items() if text is not None}


class Routes:
    """The routes of a snapshot that lead to one action or begin with one."""

    def __init__(self, catalog: Catalog, actions: Actions) -> None:
        self._catalog = catalog
        self._actions = actions
        self._mapped = tuple(self._read_calls())
        self._by_name: defaultdict[str, list[Route]] = defaultdict(list)
        for route in (*(route for route, _ in self._mapped), *self._read_attributes()):
            if route.name:
                self._by_name[route.name.lower()].append(route)

    def named(self, name: str, *, file: FileFacts) -> str | None:
        """Return the key of the action that a route leads to: of the own project, else the only one of that name."""
        routes = [one for one in self._by_name.get(name.lower(), ()) if not one.is_open]
        own = [one for one in routes if one.file.project == file.project]
        keys = {one.key for one in own or routes}
        return keys.pop() if len(keys) == 1 else None

    def add_edges(self, edges: EdgeCollector) -> None:
        """Relate the methods that register routes to the actions that these lead to."""
        for route, fact in self._mapped:
            site = Site(route.file.path, fact.line)
            edges.add(fact.source, route.key, relation="Handles", rule=MAPS, at=site, confidence=SURE)

    def _read_calls(self) -> Iterator[tuple[Route, CallFact]]:
        for file in self._catalog.files_calling(mapping_names(self._catalog)):
            for fact in file.calls if file.file_class != "test" else ():
                if MAPPING.fullmatch(function_name(fact.call)):
                    scene = Scene(self._catalog, file, fact.source)
                    yield from ((route, fact) for route in self._routes(fact.call, scene))

    def _routes(self, call: Call, scene: Scene) -> Iterator[Route]:
        """Yield the route that a call maps to a controller; it may go without a name."""
        has_area = "Area" in function_name(call)
        name = scene.first(call, 0, "name")
        pattern = scene.first(call, 1 + has_area, *PATTERNS)
        start = {found["name"].lower(): found["default"] or "" for found in _OPEN.finditer(pattern)}
        given = scene.values(argument(call, 2 + has_area, name="defaults"))
        area = scene.first(call, 1, "areaName") if has_area else ""
        wanted = ActionName(
            given.get("controller") or start.get("controller", ""),
            given.get("action") or start.get("action", ""),
            area or given.get("area"),
            tuple(namespaces_of(call)),
        )
        if wanted.controller:
            # a pattern is the same everywhere, and each application has a controller called Home
            elsewhere: Elsewhere = "nearest" if "controller" in given else "none"
            for key in self._actions.reached(wanted, file=scene.file, own=None, elsewhere=elsewhere):
                yield Route(name, key, scene.file, is_open=bool(start))

    def _read_attributes(self) -> Iterator[Route]:
        """Yield what `[HttpGet("orders", Name = "Orders")]` names."""
        for info in self._actions.controllers:
            for member in actions_of(self._catalog, info):
                file = self._catalog.home_of(member)
                for name in _names(member, Scene(self._catalog, file, member.key)):
                    yield Route(name, member.key, file)


def _names(member: MemberFact, scene: Scene) -> Iterator[str]:
    for mark in member.attributes:
        if _ATTRIBUTE.fullmatch(mark.name):
            names = (scene.text(one.value) for one in mark.arguments if one.name == "Name")
            yield from (name for name in names if name)
