"""List what rules ask of all members of all types, so that these are gone through once and not by each rule."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from ragduck.facts import MemberFact
from ragduck.graph.types.catalog import Catalog, TypeInfo


def names_by_written_type(catalog: Catalog) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield each type that files of C# write for members, with the names of these."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for file in catalog.files.values():
        if file.language == "csharp":
            for member in file.members:
                names[member.type].append(member.name)
    names.pop("", None)
    yield from names.items()


def marked_members(catalog: Catalog) -> Iterator[tuple[TypeInfo, Sequence[MemberFact]]]:
    """Yield the types of which members have attributes, with these members, both in order."""
    for info in catalog.types.values():
        marked = [one for members in info.members.values() for one in members if one.attributes]
        if marked:
            yield info, marked
