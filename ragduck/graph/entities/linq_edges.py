"""Make edges of the uses of sets: method, property or class → table."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.graph.entities.linq import FileReader, Known
from ragduck.graph.entities.linq_foreign import ForeignRepositories
from ragduck.graph.entities.linq_generic import GenericUses
from ragduck.graph.entities.linq_identity import IdentityManagers
from ragduck.graph.entities.linq_navigations import NavigationReader
from ragduck.graph.entities.linq_sets import SetReader, files_with_code
from ragduck.graph.entities.linq_tracking import Tracking
from ragduck.graph.entities.model import EntityModel
from ragduck.graph.entities.navigations import Navigations
from ragduck.graph.types.catalog import Catalog
from ragduck.model import Edge


def use_edges(catalog: Catalog, model: EntityModel) -> Iterator[Edge]:
    """Yield who reads and who writes the tables of entities; no more sure than the mapping of the entity."""
    sets = SetReader(catalog, model)
    repositories = ForeignRepositories(catalog)
    tracking = Tracking(model, sets, repositories)
    navigations = NavigationReader(Navigations(model), sets, tracking.savers)
    known = Known(model, sets, tracking, repositories, navigations, IdentityManagers(model))
    readers = [FileReader(file, known=known) for file in files_with_code(catalog)]
    direct = [use for reader in readers for use in reader.uses()]
    for use in (*direct, *GenericUses(catalog, readers, tracking.savers).uses(direct)):
        info = use.entity.info
        table = use.table or model.table_key(info, context=use.context)
        if info is not None and table is not None:
            confidence = min(use.confidence, model.mappings[info.key].confidence)
            yield Edge(use.source, table, use.relation, use.path, use.line, use.rule, confidence)
