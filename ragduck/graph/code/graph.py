"""Make the code part of the graph: what files, types and members there are and how they use each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ragduck.graph.code.edges import EdgeCollector
from ragduck.graph.code.hierarchy import add_hierarchy
from ragduck.graph.code.implementations import Implementations
from ragduck.graph.code.injection import add_injections
from ragduck.graph.code.nodes import add_containment, nodes_of
from ragduck.graph.code.roles import renamed_keys, roles_of
from ragduck.graph.code.uses import FileUses, Users
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Graph


def code_graph(catalog: Catalog, uses: Callable[[], Iterable[FileUses]] | None = None) -> Graph:
    """Return the nodes of all files, types and members, and what relates them.

    ``uses`` gives what statements call and use where others read them.
    """
    renamed = renamed_keys(catalog)
    roles = roles_of(catalog)
    implementations = Implementations(catalog)
    edges = EdgeCollector(renamed)
    add_containment(catalog, edges)
    add_hierarchy(catalog, edges)
    add_injections(catalog, edges, implementations=implementations, roles=roles)
    users = Users(catalog, implementations, edges)
    if uses is None:
        for file in catalog.files.values():
            users.read(file)
    else:
        for found in uses():
            users.take(found)
    users.settle()
    table = edges.edges()
    del users, edges  # they are as large as the nodes
    return Graph(tuple(nodes_of(catalog, renamed=renamed, roles=roles)), table)
