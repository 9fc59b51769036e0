"""What tests of entities and migrations share: from the text of files to their edges."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from ragduck.facts import FileFacts, ObjectFact
from ragduck.graph.database.graph import DatabaseCatalog
from ragduck.graph.entities.graph import entity_graph
from ragduck.graph.migrations.graph import created_objects, migration_graph
from ragduck.graph.migrations.reading import read_migrations
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Document, Edge, SourceFile
from ragduck.parse import ChunkSettings, parse_document
from ragduck.sources import read_document, walk_files

SHOP = Path(__file__).parents[2] / "data" / "shop"


@dataclass(frozen=True)
class CodeFirst:
    """The edges of entities and of migrations, and what migrations create."""

    edges: tuple[Edge, ...]
    created: tuple[ObjectFact, ...]

    def pairs(self, relation: str, *, rule: str = "") -> set[tuple[str, str]]:
        """Both ends of the edges of a relation, without the prefix of C#."""
        return {
            (edge.from_key.removeprefix("csharp:"), edge.to_key.removeprefix("csharp:"))
            for edge in self.edges
            if edge.relation == relation and rule in ("", edge.rule)
        }

    def only(self, relation: str, *, rule: str = "") -> Edge:
        """The one edge of a relation."""
        found = [edge for edge in self.edges if edge.relation == relation and rule in ("", edge.rule)]
        assert len(found) == 1, found
        return found[0]

    def changes(self) -> list[tuple[str, str, str]]:
        """Operation, table and detail of the schema changes, in order of their lines."""
        found = [edge for edge in self.edges if edge.relation == "SchemaChange"]
        found.sort(key=lambda edge: (edge.source_file, edge.line))
        return [(edge.rule, edge.to_key, edge.detail) for edge in found]


GraphOf = Callable[[Mapping[str, str]], CodeFirst]


def code_first(files: list[FileFacts]) -> CodeFirst:
    """Find everything that code says about the database."""
    catalog = Catalog(files)
    migrations = tuple(read_migrations(catalog))
    created = created_objects(catalog, migrations)
    database = DatabaseCatalog(files, created=created)
    graphs = entity_graph(catalog, database), migration_graph(catalog, migrations, database)
    return CodeFirst(tuple(edge for graph in graphs for edge in graph.edges), created)


@pytest.fixture(scope="session")
def graph_of(facts_of: Callable[[Mapping[str, str]], list[FileFacts]]) -> GraphOf:
    """Edges of files that are given by path with their text."""
    return lambda files: code_first(facts_of(files))


@pytest.fixture(scope="session")
def shop() -> CodeFirst:
    """The sample shop."""
    read = (read_document(file) for file in walk_files(SHOP) if isinstance(file, SourceFile))
    documents = (document for document in read if isinstance(document, Document))
    return code_first([parse_document(document, settings=ChunkSettings()).facts for document in documents])
