"""Tell members of a generic type from those of a plain type of the same name: both share a key."""

from __future__ import annotations

from collections.abc import Sequence

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
    if not has_namesake(catalog, info) or (info is ref.info and _is_own(ref)):
        return found
    count = len(seen.arguments)
    if info.is_shared:  # what is found are the members of one project
        return found._replace(members=_in_order(found.members, count))
    key = (info.key, found.members[0].name, count)
    known = catalog.memory.meant
    if key not in known:
        known[key] = _in_order(found.members, count)
    return found._replace(members=known[key])


def has_namesake(catalog: Catalog, info: TypeInfo) -> bool:
    """Say whether the declarations of a type differ in the number of type parameters."""
    known = catalog.memory.namesakes
    if info.key not in known:
        known[info.key] = len({len(one.type_parameters) for one in info.declarations}) > 1
    return known[info.key]


def _in_order(members: Sequence[MemberFact], count: int) -> tuple[MemberFact, ...]:
    return tuple(sorted(members, key=lambda one: one.arity != count))


def _is_own(ref: TypeRef) -> bool:
    return ref.info is not None and tuple(one.name for one in ref.arguments) == ref.info.type_parameters
