"""Tell apart what generic and plain types of one name declare, which share a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from ragduck.facts import MemberFact
from ragduck.graph.types.arity import has_namesake
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef


def declared_members(catalog: Catalog, refs: Sequence[TypeRef]) -> Mapping[str, Sequence[MemberFact]]:
    """Return the members that a type declares with as many type parameters as one of its references has arguments.

    `IStore<T> : IStore` has those of both; all count where no declaration has so many.
    """
    info = refs[0].info
    if info is None:
        return {}
    if not has_namesake(catalog, info):
        return info.members
    counts = frozenset(len(ref.arguments) for ref in refs)
    known = catalog.memory.declared
    key = (info.key, counts)
    if key not in known:
        known[key] = _declared(info, _arities(catalog, info, counts))
    return known[key]


def _declared(info: TypeInfo, arities: AbstractSet[int]) -> Mapping[str, Sequence[MemberFact]]:
    found = {name: [one for one in members if one.arity in arities] for name, members in info.members.items()}
    return {name: members for name, members in found.items() if members}


def _arities(catalog: Catalog, info: TypeInfo, counts: AbstractSet[int]) -> AbstractSet[int]:
    """Return counts of type parameters with those of namesakes that such declarations derive from."""
    pending, seen = list(counts), set(counts)
    while pending:
        count = pending.pop()
        for declared, file in zip(info.declarations, info.files, strict=True):
            for written in declared.bases if len(declared.type_parameters) == count else ():
                base = catalog.resolve(written, file=file, owner=info)
                if base.info is info and len(base.arguments) not in seen:
                    seen.add(len(base.arguments))
                    pending.append(len(base.arguments))
    every = {len(one.type_parameters) for one in info.declarations}
    return seen if seen & every else every
