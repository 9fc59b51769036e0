"""Tell members of a generic type from those of a plain type of the same name: both share a key."""

from __future__ import annotations

from ragduck.facts import MemberFact
from ragduck.graph.types.catalog import Catalog
from ragduck.graph.types.declarations import TypeInfo, TypeRef
from ragduck.graph.types.findings import Found


def meant_first(catalog: Catalog, found: Found, ref: TypeRef) -> Found:
    """Put the members first that are declared with as many type parameters as the reference has arguments.

    The others stay, as the one type often inherits from the other. Where the type is seen from its own inside,
    nobody tells in which declaration.
    """
    info = found.declaring.info
    if info is None or len(found.members) == 1 or len(info.declarations) == 1:
        return found
    seen = ref if info is ref.info else found.declaring
    arities = {len(one.type_parameters) for one in info.declarations}
    if len(arities) == 1 or (info is ref.info and _is_own(ref)):
        return found
    count = len(seen.arguments)
    members = sorted(found.members, key=lambda one: _arity(catalog, one, info) != count)
    return found._replace(members=tuple(members))


def _is_own(ref: TypeRef) -> bool:
    return ref.info is not None and tuple(one.name for one in ref.arguments) == ref.info.type_parameters


def _arity(catalog: Catalog, member: MemberFact, info: TypeInfo) -> int:
    """Return the number of type parameters of the declaration in which a member stands."""
    home = catalog.home_of(member)
    for declared, file in zip(info.declarations, info.files, strict=True):
        if file is home and declared.line <= member.line <= declared.end_line:
            return len(declared.type_parameters)
    return 0
