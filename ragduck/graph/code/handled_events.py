"""Say who makes methods handlers of events where a `Handles` clause of Visual Basic does: what makes the controls.

A form of C# adds its handlers in `InitializeComponent`, so that this calls them.
"""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.edges import EdgeCollector, Site
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.model import Graph

HANDLING = ("handles", "handles own")
INITIALIZER = "InitializeComponent"
RULE = "event handler"


def handled_event_graph(catalog: Catalog) -> Graph:
    """Return the edges from what makes the controls of a form, or the form, to the methods that handle events."""
    edges = EdgeCollector()
    for path in sorted(catalog.files):
        for method in _handlers(catalog.files[path]):
            owner = catalog.owner_of(method.key)
            maker = _maker(owner) if owner is not None else None
            if maker is not None:
                site = Site(path, method.line)
                edges.add(maker.key, method.key, relation="Calls", rule=RULE, at=site)
    return Graph(edges=edges.edges())


def _handlers(file: FileFacts) -> Iterator[MemberFact]:
    lines = {(fact.name, fact.line) for fact in file.views if fact.how in HANDLING}
    for member in file.members if lines else ():
        if (member.name, member.line) in lines:
            yield member


def _maker(info: TypeInfo) -> MemberFact | None:
    """Return the method that makes the controls of a form, else its constructor."""
    made = info.members.get(INITIALIZER) or info.members.get(info.name) or ()
    return next((one for one in made if one.kind == "METHOD"), None)
