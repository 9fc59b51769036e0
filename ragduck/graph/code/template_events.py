"""Relate components of Vue to the functions of theirs that their templates name for events."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import TEMPLATE_EVENT, FileFacts, MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.code.nodes import file_key
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.findings import METHOD
from ragduck.model import Graph

RULE = "event handler"
_MADE_OF_OPTIONS = "component"


def template_event_graph(catalog: Catalog) -> Graph:
    """Return the edges from files of components to what handles the events of their templates."""
    edges = EdgeCollector()
    for path, file in sorted(catalog.files.items()):
        for fact in file.views:
            if fact.how == TEMPLATE_EVENT:
                for member in _handlers(fact.name, file, catalog):
                    at = Site(path, fact.line)
                    edges.add(file_key(path), member.key, relation="Handles", rule=RULE, at=at)
    return Graph(edges=edges.edges())


def _handlers(name: str, file: FileFacts, catalog: Catalog) -> Iterator[MemberFact]:
    """Yield the function of a name of a file's component: its own or mixed in, else one of its script."""
    components = [one.key for one in file.types if one.element_type == _MADE_OF_OPTIONS]
    for key in components:
        info = catalog.types.get(key)
        found = catalog.members(info, name) if info is not None else ()
        yield from [one for one in found if one.kind == METHOD][:1]
    for member in file.members if not components else ():
        if member.name == name and not member.owner and member.kind == METHOD:
            yield member
