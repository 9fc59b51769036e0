"""Tell the types of what a record has of its parameters."""

from __future__ import annotations

from ragduck.graph.types.catalog import Catalog, TypeRef
from ragduck.graph.types.externals import ITEMS
from ragduck.graph.types.inheritance import binding_of, substitute


def positional_type(catalog: Catalog, ref: TypeRef, name: str) -> TypeRef | None:
    """Return the type of a record's parameter, which is a property as well, and what it is taken apart into."""
    for declared, file in zip(ref.info.declarations, ref.info.files, strict=True) if ref.info else ():
        for place, parameter in enumerate(declared.parameters):
            if parameter.name == name or ITEMS.get(name) == place:
                held = catalog.resolve(parameter.type, file=file, owner=ref.info)
                return substitute(held, binding_of(ref))
    return None
