"""Keep those uses of a method's own class that lead on: to what a base does in the name of its heirs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from ragduck.edge_table import EdgeTable
from ragduck.graph.code.edges import Site
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import qualified_name

OWN_OBJECT = "own object"  # the rule of calls of inherited methods without a receiver
STATEMENTS = frozenset(("ReadsFrom", "WritesTo", "Executes"))


def without_idle_uses(parts: Sequence[EdgeTable], others: EdgeTable, catalog: Catalog) -> Sequence[EdgeTable]:
    """Leave out that a method uses its own class, unless it calls a base's method that has a statement of that class.

    ``others`` has the statements; one of which the place is told elsewhere does not count.
    """
    are_own = [part.have("rule", (OWN_OBJECT,)) for part in parts]
    own = [tuple(part.chosen(is_own)) for part, is_own in zip(parts, are_own, strict=True)]
    sources = {one.from_key for each in own for one in each}
    heirs = {one.to_key for each in own for one in each}
    called: defaultdict[str, set[str]] = defaultdict(set)
    for one in (one for part in parts if sources for one in _stating(part, ("Calls",), sources)):
        called[one.from_key].add(one.to_key)
    told: defaultdict[str, set[Site]] = defaultdict(set)
    for one in _stating(others, STATEMENTS, heirs) if heirs else ():
        told[one.from_key].add(Site(one.source_file, one.line))
    found: list[EdgeTable] = []
    for part, is_own, each in zip(parts, are_own, own, strict=True):
        is_kept = ~is_own
        is_kept[is_own] = [_leads_on(called[one.from_key], one.to_key, told, catalog) for one in each]
        found.append(part.chosen(is_kept) if each else part)
    return found


def _leads_on(called: Collection[str], heir: str, told: Mapping[str, set[Site]], catalog: Catalog) -> bool:
    """Say whether one of the called methods is inherited and holds a statement that is told of the heir."""
    sites = told.get(heir, ())
    for key in called if sites else ():
        owner = catalog.owner_of(key)
        name = qualified_name(key).rpartition(".")[2]
        for member in owner.members.get(name, ()) if owner is not None and owner.key != heir else ():
            path = catalog.home_of(member).path
            if any(one.path == path and member.line <= one.line <= member.end_line for one in sites):
                return True
    return False


def _stating(edges: EdgeTable, relations: Collection[str], sources: Collection[str]) -> EdgeTable:
    """Return the edges of some relations that lead from some nodes."""
    found = edges.chosen(edges.have("relation", relations))
    return found.chosen(found.have("from_key", sources))
