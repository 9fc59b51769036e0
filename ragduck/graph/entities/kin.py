"""Tell what stands behind repositories: which classes derive from the types that are asked for."""

from __future__ import annotations

from collections.abc import Iterable

from ragduck.graph.code.registrations import is_open
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.inheritance import spelled


def told_of_kin(catalog: Catalog, types: Iterable[TypeInfo]) -> object:
    """Return all that derives from what types, or those that derive from them, leave open, with its bases.

    Which of several classes is meant by an interface, and how sure that is, depends on each of them.
    """
    open_types: dict[str, TypeInfo] = {}
    for info in catalog.below(types):
        kin = (info, *(ref.info for ref in catalog.ancestors(info)))
        open_types |= {one.key: one for one in kin if one is not None and is_open(one)}
    return sorted(
        (info.key, is_open(info), info.is_test, [spelled(ref) for ref in catalog.bases(info)])
        for info in catalog.below(open_types.values())
    )
