"""Put the graph of a snapshot together from the facts of its files."""

from __future__ import annotations

import gc
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeVar

from ragduck.facts import FileFacts, ObjectFact
from ragduck.graph.code.graph import code_graph
from ragduck.graph.code.views import view_graph
from ragduck.graph.database.graph import DatabaseCatalog, database_graph
from ragduck.graph.entities.graph import entity_graph
from ragduck.graph.inline_sql.graph import inline_sql_graph
from ragduck.graph.migrations.graph import created_objects, migration_graph
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge, Graph, Node, ParseProblem

GRAPH = "(graph)"  # stands for a path in problems that no single file has
CODE_PREFIXES = ("csharp:", "python:", "typescript:", "javascript:", "java:", "go:", "razor:", "file:")


def build_graph(files: Sequence[FileFacts]) -> tuple[Graph, tuple[ParseProblem, ...]]:
    """Return the nodes and edges of a snapshot, and what no rule could make sense of.

    Each kind of rule works on its own: one that fails costs its edges and is reported.
    """
    with _without_collection():
        return _built(files)


def _built(files: Sequence[FileFacts]) -> tuple[Graph, tuple[ParseProblem, ...]]:
    problems: list[ParseProblem] = []
    catalog = Catalog(files)
    nothing: tuple[ObjectFact, ...] = ()
    created = _attempt(lambda: created_objects(catalog), nothing, problems=problems)
    database = DatabaseCatalog(files, created=created)
    rules: tuple[Callable[[], Graph], ...] = (
        lambda: code_graph(catalog),
        lambda: database_graph(database),
        lambda: view_graph(catalog),
        lambda: entity_graph(catalog, database),
        lambda: migration_graph(catalog, database),
        lambda: inline_sql_graph(catalog, database),
    )
    parts = [_attempt(rule, Graph(), problems=problems) for rule in rules]
    edges = merge_edges(edge for part in parts for edge in part.edges)
    nodes: dict[str, Node] = {}
    for part in parts:
        for node in part.nodes:
            nodes.setdefault(node.node_key, node)
    return Graph((*nodes.values(), *external_nodes(nodes, edges)), edges), tuple(problems)


@contextmanager
def _without_collection() -> Iterator[None]:
    """Keep the garbage collector still: it would look through a million living facts again and again."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


Found = TypeVar("Found")


def _attempt(rule: Callable[[], Found], otherwise: Found, *, problems: list[ParseProblem]) -> Found:
    """Apply a kind of rule; a bug in it must not cost the user the store."""
    try:
        return rule()
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        message = f"{type(error).__name__} in {place.name}: {error}"
        problems.append(ParseProblem(GRAPH, place.lineno or 1, message))
        return otherwise


def merge_edges(edges: Iterable[Edge]) -> tuple[Edge, ...]:
    """Make one edge of all that say the same in the same way: the surest, then first site counts the others."""
    merged: dict[tuple[str, str, str, str, str], Edge] = {}
    for edge in edges:
        key = (edge.from_key, edge.to_key, edge.relation, edge.rule, edge.detail)
        known = merged.get(key)
        merged[key] = edge if known is None else _first_of(known, edge)
    return tuple(merged[key] for key in sorted(merged))


def _first_of(known: Edge, other: Edge) -> Edge:
    first = min(known, other, key=lambda edge: (-edge.confidence, edge.source_file, edge.line))
    return replace(first, sites=known.sites + other.sites)


def external_nodes(known: Mapping[str, Node], edges: Iterable[Edge]) -> tuple[Node, ...]:
    """Make nodes of what edges name and nothing defines."""
    keys = {key for edge in edges for key in (edge.from_key, edge.to_key)}
    return tuple(_external_node(key) for key in sorted(keys - known.keys()))


def _external_node(key: str) -> Node:
    name, _, kind = key.rpartition("|")
    if name.startswith(CODE_PREFIXES):
        return Node(key, kind, name.rpartition(".")[2], "regular_code", is_external=True)
    schema, _, simple = name.rpartition(".")
    return Node(key, kind, simple, "db_code", schema=schema.rpartition(".")[2] or None, is_external=True)
