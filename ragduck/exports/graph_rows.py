"""Read nodes and edges of a store one after the other, in the shapes that graph formats have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragduck.exports.graph_csv import Row
from ragduck.exports.selection import Selection
from ragduck.resources import sql_text, with_parts
from ragduck.store import Database

FETCHED_ROWS = 10_000


def graphml_nodes(database: Database, selection: Selection) -> Iterator[Row]:
    """Yield an id and the NODE_ATTRIBUTES of graphml, in order of repo, branch and key."""
    return _rows(database, "graphml_nodes", selection.variables)


def graphml_edges(database: Database, selection: Selection) -> Iterator[Row]:
    """Yield the ids of both ends and the EDGE_ATTRIBUTES of graphml, in the order of the store."""
    return _rows(database, "graphml_edges", selection.variables)


def roslyn_nodes(database: Database, repo: str, branch: str) -> Iterator[Row]:
    """Yield node_key, then key, kind, name, schema, file and domain as RoslynIndexer writes them, in order of key."""
    return _rows(database, "roslyn_nodes", {"exported_repo": repo, "exported_branch": branch})


def roslyn_edges(database: Database, repo: str, branch: str) -> Iterator[Row]:
    """Yield from, to, relation, to_kind and file as RoslynIndexer writes them, each only once, in order."""
    return _rows(database, "roslyn_edges", {"exported_repo": repo, "exported_branch": branch})


def _rows(database: Database, name: str, variables: Mapping[str, object]) -> Iterator[Row]:
    with database.cursor() as cursor:
        for variable, value in variables.items():
            cursor.execute(f"set variable {variable} = $value", {"value": value})
        cursor.execute(with_parts(sql_text(f"exports/{name}.sql")))
        while rows := cursor.fetchmany(FETCHED_ROWS):
            yield from rows
