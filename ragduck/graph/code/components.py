"""Know the components of Blazor: what tags of markup may name, and what they may set."""

from __future__ import annotations

from ragduck.facts import MemberFact
from ragduck.graph.types.catalog import Catalog, TypeInfo
from ragduck.graph.types.declarations import is_interface_name

LANGUAGE = "razor"
_INTERFACE = "IComponent"
_MARK = "Parameter"


def may_be_component(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether a tag can name a type: a Razor file, or a class of which a base is one or lies elsewhere."""
    if info.language == LANGUAGE:
        return True
    return any(
        ref.name == _INTERFACE
        or (ref.info.language == LANGUAGE if ref.info is not None else not is_interface_name(ref.name))
        for ref in catalog.ancestors(info)
    )


def parameter_of(catalog: Catalog, info: TypeInfo, name: str) -> MemberFact | None:
    """Return the property that a tag of a component, or of one derived from it, sets."""
    for member in catalog.members(info, name):
        if member.kind == "PROPERTY" and any(_is_mark(one.name) for one in member.attributes):
            return member
    return None


def _is_mark(name: str) -> bool:
    return name.rpartition(".")[2] == _MARK
