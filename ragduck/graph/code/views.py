"""Relate Razor views to what stands behind them: controllers, actions, page models, models, parts of pages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath

from ragduck.facts import PARAMETER, FileFacts, ViewFact
from ragduck.graph.code.actions import Actions, without_ending
from ragduck.graph.code.component_routes import add_component_routes
from ragduck.graph.code.components import may_be_component, parameter_of
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.links import Links
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.roles import actions_of, is_page
from ragduck.graph.code.routes import Routes
from ragduck.graph.code.shown_views import ShownViews
from ragduck.graph.code.view_components import CONVENTION, RULE, ViewComponents, invoked
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef
from ragduck.graph.types.component_namespaces import COMPONENT
from ragduck.graph.types.declarations import named_types
from ragduck.graph.types.roots import type_of_model
from ragduck.model import Graph

SHARED = "Shared"


def view_graph(catalog: Catalog) -> Graph:
    """Return the edges of all Razor files, and what leads from code to actions; their nodes are those of the code."""
    edges = EdgeCollector()
    actions = Actions(catalog)
    routes = Routes(catalog, actions)
    links = Links(catalog, actions=actions, routes=routes)
    paths = {path for path, file in catalog.files.items() if file.language == "razor"}
    by_name = _by_name(paths)
    shown = ShownViews(catalog, actions, by_name=by_name)
    components = ViewComponents(catalog)
    for path in sorted(paths):
        view = _View(catalog, catalog.files[path], edges=edges)
        view.add_models()
        view.add_controllers(shown)
        view.add_parts(by_name)
        view.add_components(components)
        view.add_parameters()
        links.add_tags(catalog.files[path], edges)
    routes.add_edges(edges)
    links.add_calls(edges)
    components.add_calls(edges)
    add_component_routes(catalog, edges)
    return Graph(edges=edges.edges())


class _View:
    """One Razor file and the edges that lead away from it."""

    def __init__(self, catalog: Catalog, file: FileFacts, *, edges: EdgeCollector) -> None:
        self._catalog = catalog
        self._file = file
        self._edges = edges
        self._owner = next((catalog.types[one.key] for one in file.types), None)
        self._tags: dict[str, TypeInfo | None] = {}

    def add_models(self) -> None:
        """Add the page model by its file, and the model that is named."""
        behind = self._catalog.files.get(f"{self._file.path}.cs")
        for declared in behind.types if behind is not None else ():
            info = self._catalog.types[declared.key]
            if is_page(self._catalog, info):
                self._handle_page(info, rule="code-behind", line=1, confidence=1.0)
        for fact in self._facts("model"):
            for info in named_types(type_of_model(self._catalog, fact.name, file=self._file)):
                if is_page(self._catalog, info):
                    self._handle_page(info, rule="model", line=fact.line, confidence=1.0)
                else:
                    self._handle(info.key, rule="model", line=fact.line, confidence=1.0)

    def add_controllers(self, shown: ShownViews) -> None:
        """Add the controller and the actions that show the view."""
        for one in shown.showing(self._file):
            self._add(one.key, rule=one.rule, at=one.at, confidence=one.confidence)

    def add_parts(self, by_name: Mapping[str, Sequence[str]]) -> None:
        """Add layouts, partial views and linked pages."""
        for how in ("layout", "partial", "link"):
            for fact in self._facts(how):
                path = part_path(fact.name, file=self._file, by_name=by_name)
                if path and path != self._file.path:
                    self._use(file_key(path), rule=how, line=fact.line)

    def add_components(self, components: ViewComponents) -> None:
        """Add the components that a page shows, and that which shows the view."""
        for fact in self._facts("component"):
            info = self._component(fact.name)
            if info is not None:
                self._use(info.key, rule="component", line=fact.line)
        for fact in self._facts(RULE):
            for info in components.called(fact.name, file=self._file):
                self._use(info.key, rule="component", line=fact.line)
                for method in invoked(info):
                    site = Site(self._file.path, fact.line)
                    self._edges.add(
                        file_key(self._file.path), method.key, relation="Calls", rule=RULE, at=site
                    )
        for info in components.shown_by(self._file):
            for method in invoked(info):
                self._handle(method.key, rule=RULE, line=1, confidence=CONVENTION)

    def add_parameters(self) -> None:
        """Add the parameters of components that tags set."""
        for fact in self._facts(PARAMETER):
            tag, _, name = fact.name.rpartition(".")
            if tag not in self._tags:
                self._tags[tag] = self._component(tag)
            info = self._tags[tag]
            member = parameter_of(self._catalog, info, name) if info is not None else None
            if member is not None:
                self._use(member.key, rule="component parameter", line=fact.line)

    def _facts(self, how: str) -> Iterator[ViewFact]:
        return (fact for fact in self._file.views if fact.how == how)

    def _resolve(self, written: str) -> TypeRef:
        return self._catalog.resolve(written, file=self._file, owner=self._owner)

    def _component(self, name: str) -> TypeInfo | None:
        """Return the component of a name that the file sees, else the nearest of which that cannot be told."""
        info = self._resolve(name).info
        if info is None:
            info = self._catalog.nearest_type(name, file=self._file, among=self._is_perhaps_seen)
        return info if info is not None and may_be_component(self._catalog, info) else None

    def _is_perhaps_seen(self, info: TypeInfo) -> bool:
        """Say whether it is not known which namespaces the file sees, or which one a component has."""
        known = self._catalog.component_namespaces
        return self._file.path not in known or all(
            one.path.lower().endswith(COMPONENT) and one.path not in known for one in info.files
        )

    def _handle_page(self, info: TypeInfo, *, rule: str, line: int, confidence: float) -> None:
        self._handle(info.key, rule=rule, line=line, confidence=confidence)
        for action in actions_of(self._catalog, info):
            self._handle(action.key, rule="page handler", line=line, confidence=confidence)

    def _handle(self, key: str, *, rule: str, line: int, confidence: float) -> None:
        self._add(key, rule=rule, at=Site(self._file.path, line), confidence=confidence)

    def _add(self, key: str, *, rule: str, at: Site, confidence: float) -> None:
        self._edges.add(
            file_key(self._file.path), key, relation="Handles", rule=rule, at=at, confidence=confidence
        )

    def _use(self, key: str, *, rule: str, line: int) -> None:
        site = Site(self._file.path, line)
        self._edges.add(file_key(self._file.path), key, relation="Uses", rule=rule, at=site)


def _by_name(paths: set[str]) -> Mapping[str, Sequence[str]]:
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(paths):
        found[PurePosixPath(path).stem.lower()].append(path)
    return found


def part_path(name: str, *, file: FileFacts, by_name: Mapping[str, Sequence[str]]) -> str:
    """Find the file of a layout, partial view or page: by path, in the same folder, in a shared one above."""
    written = PurePosixPath(name.lstrip("~/"))
    candidates = by_name.get(without_ending(written.name).lower(), ())
    if len(written.parts) > 1:
        ending = f"/{without_ending(str(written))}"
        return _only(
            path for path in candidates if f"/{PurePosixPath(path).with_suffix('')}".endswith(ending)
        )
    for folder in PurePosixPath(file.path).parents:
        for path in candidates:
            inside = PurePosixPath(path).parent
            if inside == folder or inside == folder / SHARED:
                return path
    return _only(path for path in candidates if PurePosixPath(path).parent.name == SHARED)


def _only(paths: Iterable[str]) -> str:
    found = list(paths)
    return found[0] if len(found) == 1 else ""
