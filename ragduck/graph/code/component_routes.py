"""Relate links and `NavigateTo` of Blazor to the components whose `@page` says the path."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import ADDRESS, FileFacts
from ragduck.graph.code.addresses import HOLE, path_in, readings, written_address
from ragduck.graph.code.components import LANGUAGE
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.nodes import file_key
from ragduck.graph.code.routes import Scene
from ragduck.graph.code.served_paths import Served, ServedPaths, path_of_template
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.chains import argument, function_name, receiver_of
from ragduck.graph.types.component_namespaces import COMPONENT
from ragduck.graph.types.declarations import family_of
from ragduck.graph.types.expressions import Evaluators

LINK, REDIRECT = "link", "redirect"
CODE = "{}"  # in a path that markup names
NAVIGATE = "NavigateTo"
MANAGER = "NavigationManager"
SURE = 0.95
ELSEWHERE = 0.8  # of another project, which may not run with this one


def add_component_routes(catalog: Catalog, edges: EdgeCollector) -> None:
    """Add what the markup of components, and code that navigates, lead to."""
    pages = _Pages(catalog)
    if not pages.are_known:
        return
    for file in catalog.files.values():
        if _is_component(file):
            for fact in file.views:
                if fact.how == ADDRESS:
                    site = Site(file.path, fact.line)
                    pages.lead(file_key(file.path), fact.name, rule=LINK, at=site, edges=edges)
    _add_navigation(catalog, pages, edges)


def _add_navigation(catalog: Catalog, pages: _Pages, edges: EdgeCollector) -> None:
    """Add what code gives to the framework's NavigationManager."""
    for file in catalog.files_calling((NAVIGATE,)):
        if family_of(file.language) != "csharp" or file.file_class == "test":
            continue
        evaluators = Evaluators(catalog, file)
        for fact in file.calls:
            receiver = receiver_of(fact.call)
            if function_name(fact.call) != NAVIGATE or receiver is None or not fact.call.arguments:
                continue
            ref = evaluators.within(fact.source).type_of(receiver)
            if ref is not None and ref.name.rpartition(".")[2] == MANAGER:
                scene = Scene(catalog, file, fact.source)
                address = path_in(written_address(argument(fact.call, 0, name="uri"), scene))
                pages.lead(fact.source, address, rule=REDIRECT, at=Site(file.path, fact.line), edges=edges)


def _is_component(file: FileFacts) -> bool:
    return file.language == LANGUAGE and file.path.lower().endswith(COMPONENT) and file.file_class != "test"


class _Pages:
    """The components that have routes."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        served = tuple(self._read())
        self.are_known = bool(served)
        self._served = ServedPaths(served)

    def _read(self) -> Iterator[Served]:
        for file in self._catalog.files.values():
            if _is_component(file):
                for fact in file.views:
                    if fact.how == "page" and fact.name.startswith("/") and file.types:
                        yield Served("", path_of_template(fact.name), file.types[0].key, file.project)

    def lead(self, source: str, address: str, *, rule: str, at: Site, edges: EdgeCollector) -> None:
        """Add the component at an address of which the beginning is known, if there is but one in the project."""
        path = address.replace(CODE, HOLE).lstrip("/")
        if not path or path.startswith(HOLE):
            return
        paths = readings(f"/{path}")
        found = next(filter(None, (self._served.answering("", one) for one in paths)), ())
        project = self._catalog.files[at.path].project
        own = {one.key for one in found if one.project == project}
        keys = own or {one.key for one in found}
        if len(keys) == 1:
            (key,) = keys
            confidence = SURE if own else ELSEWHERE
            edges.add(source, key, relation="LeadsTo", rule=rule, at=at, confidence=confidence)
