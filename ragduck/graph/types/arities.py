"""Tell apart what generic and plain types of one name declare, which share a key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ragduck.facts import FileFacts, MemberFact, TypeFact
from ragduck.graph.types.catalog import Catalog, TypeInfo, TypeRef


def declared_members(catalog: Catalog, refs: Sequence[TypeRef]) -> Mapping[str, Sequence[MemberFact]]:
    """Return the members that a type declares with as many type parameters as one of its references has arguments.

    `IStore<T> : IStore` has those of both; all count where no declaration has so many.
    """
    info = refs[0].info
    if info is None:
        return {}
    if not _has_namesake(info):
        return info.members
    declared = _declarations(catalog, info, {len(ref.arguments) for ref in refs})
    found = {
        name: [one for one in members if any(_stands_in(one, each, catalog) for each in declared)]
        for name, members in info.members.items()
    }
    return {name: members for name, members in found.items() if members}


def _has_namesake(info: TypeInfo) -> bool:
    return len({len(one.type_parameters) for one in info.declarations}) > 1


def _declarations(catalog: Catalog, info: TypeInfo, counts: set[int]) -> Sequence[tuple[TypeFact, FileFacts]]:
    """Return the declarations with some counts of type parameters, and namesakes that they derive from."""
    every = list(zip(info.declarations, info.files, strict=True))
    pending, seen = list(counts), set(counts)
    while pending:
        count = pending.pop()
        for declared, file in every:
            for written in declared.bases if len(declared.type_parameters) == count else ():
                base = catalog.resolve(written, file=file, owner=info)
                if base.info is info and len(base.arguments) not in seen:
                    seen.add(len(base.arguments))
                    pending.append(len(base.arguments))
    return [one for one in every if len(one[0].type_parameters) in seen] or every


def _stands_in(member: MemberFact, place: tuple[TypeFact, FileFacts], catalog: Catalog) -> bool:
    declared, file = place
    return catalog.home_of(member) is file and declared.line <= member.line <= declared.end_line
