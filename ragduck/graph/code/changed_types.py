"""Tell for which types it may matter that members changed, to rules that look at types and what these derive from."""

from __future__ import annotations

from collections.abc import Iterable

from ragduck.graph.file_rows import Reach
from ragduck.graph.rule_memory import Terms, is_nothing
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.looks import ChangedMembers

OF_DECLARATIONS = Terms(regards=is_nothing, reach=Reach.OWN)  # said anew of such types, else never


def types_for(changes: ChangedMembers | None, catalog: Catalog) -> Iterable[TypeInfo]:
    """Return all types, or those of which members changed, with those that derive from them.

    Where types are declared otherwise, those of which a declaration stands in a file that is reached.
    """
    types = catalog.types
    if changes is None:
        return types.values()
    if changes.reached is not None:
        declared = (one.key for path in changes.reached for one in catalog.files[path].types)
        return catalog.below({types[key] for key in declared})
    return catalog.below({types[one.owner] for one in changes.members if one.owner in types})
