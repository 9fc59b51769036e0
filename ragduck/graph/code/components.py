"""Know the components of Blazor: what tags of markup may name."""

from __future__ import annotations

from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import is_interface_name

LANGUAGE = "razor"
_INTERFACE = "IComponent"


def may_be_component(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a tag can name a type: a Razor file, or a class of which a base is one or lies elsewhere."""
    if info.language == LANGUAGE:
        return True
    return any(
        ref.name == _INTERFACE
        or (ref.info.language == LANGUAGE if ref.info is not None else not is_interface_name(ref.name))
        for ref in catalog.ancestors(info)
    )
