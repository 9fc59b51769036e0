"""Make edges of the uses of sets: method, property or class → table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ragduck.facts import FileFacts
from ragduck.graph.entities.linq import FileReader, Known
from ragduck.graph.entities.linq_foreign import ForeignRepositories
from ragduck.graph.entities.linq_generic import GenericUses
from ragduck.graph.entities.linq_identity import IdentityManagers
from ragduck.graph.entities.linq_navigations import NavigationReader
from ragduck.graph.entities.linq_sets import SetReader, files_with_code
from ragduck.graph.entities.linq_tracking import Tracking
from ragduck.graph.entities.linq_uses import Use, rows_of, uses_of
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.entities.navigations import Navigations
from ragduck.graph.file_rows import FileRows, FileRule, Reach, ReadOff
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge


def use_edges(catalog: Catalog, model: EntityModel, rows: FileRows) -> Iterator[Edge]:
    """Yield who reads and who writes the tables of entities; no more sure than the mapping of the entity."""
    sets = SetReader(catalog, model)
    repositories = ForeignRepositories(catalog)
    tracking = Tracking(model, sets, repositories, rows=rows)
    navigations = NavigationReader(Navigations(model), sets, tracking.savers)
    known = Known(model, sets, tracking, repositories, navigations, IdentityManagers(model))
    readers = {file.path: FileReader(file, known=known) for file in files_with_code(catalog)}
    direct = list(_direct_uses(readers, known, rows))
    generic = GenericUses(catalog, tuple(readers.values()), tracking.savers, rows=rows)
    for use in (*direct, *generic.uses(direct)):
        info = use.entity.info
        table = use.table or model.table_key(info, context=use.context)
        if info is not None and table is not None:
            confidence = min(use.confidence, model.mappings[info.key].confidence)
            yield Edge(use.source, table, use.relation, use.path, use.line, use.rule, confidence)


def _direct_uses(readers: Mapping[str, FileReader], known: Known, rows: FileRows) -> Iterator[Use]:
    """Yield what files do with sets, file by file."""

    def read(file: FileFacts) -> ReadOff:
        found = readers[file.path].uses()
        return ReadOff(rows_of(found.uses), found.is_lasting)

    rule = FileRule("uses of sets", Reach.NAMES, known.told)
    for file, found in rows.read(rule, (reader.file for reader in readers.values()), read):
        yield from uses_of(file, found, known.model.catalog)
