"""Find the interfaces that a type of Go satisfies: it does not name them, it has their methods."""

from __future__ import annotations

from collections.abc import Iterator

from ragduck.facts import MemberFact
from ragduck.graph.types.declarations import Declarations, TypeInfo

MAX_NAMESAKES = 2_000  # methods of one name; beyond, the name says nothing


def satisfied(info: TypeInfo, declarations: Declarations) -> Iterator[TypeInfo]:
    """Yield the interfaces all of whose methods a type declares with the same signature, by key."""
    own = {name for name, members in info.members.items() if members[0].kind == "METHOD"}
    found: dict[str, TypeInfo] = {}
    for name in own:
        named = declarations.methods["go"].get(name, ())
        for member in named if len(named) <= MAX_NAMESAKES else ():
            interface = declarations.types[member.owner]
            if interface.is_interface and interface.key not in found and _has_all(info, interface):
                found[interface.key] = interface
    yield from (found[key] for key in sorted(found))


def _has_all(info: TypeInfo, interface: TypeInfo) -> bool:
    wanted = [members[0] for members in interface.members.values() if members[0].kind == "METHOD"]
    return all(_signature(one) in map(_signature, info.members.get(one.name, ())) for one in wanted)


def _signature(member: MemberFact) -> tuple[str, ...]:
    """Return parameter and result types without packages, which differ with the place they are named from."""
    written = (*(one.type for one in member.parameters), member.type)
    return tuple(one.replace(" ", "").rpartition(".")[2] for one in written)
