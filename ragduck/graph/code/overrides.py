"""Find the methods that derived classes run in the place of a virtual one that has a body of its own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from ragduck.facts import FileFacts, MemberFact
from ragduck.graph.code.implementations import MAX_DERIVED, MAX_IMPLEMENTATIONS
from ragduck.graph.types.applications import Applications
from ragduck.graph.types.catalog import Catalog, TypeInfo

OVERRIDABLE = frozenset(("virtual", "override"))
OVERRIDES = "one of several overrides"


def may_be_overridden(member: MemberFact) -> bool:
    """Say whether a derived class may run another method instead: C# and Visual Basic say so."""
    modifiers = member.modifiers
    return member.kind == "METHOD" and not OVERRIDABLE.isdisjoint(modifiers) and "sealed" not in modifiers


def overriding(
    catalog: Catalog, applications: Applications, info: TypeInfo, *, member: MemberFact, near: FileFacts
) -> tuple[MemberFact, ...]:
    """Return what classes that derive from a type override a method by, none if that is too much.

    Those of tests count in tests alone, and those of other applications beside that of the file do not.
    """
    found = []
    for one in _below(catalog, info):
        if one.is_test <= (near.file_class == "test"):
            found += [(one, each) for each in one.members.get(member.name, ()) if _overrides(each, member)]
    if found:
        applications.ask_near(near.path)
    running = {
        each.key: each
        for one, each in found
        if any(applications.may_share(file.path, near.path) for file in one.files)
    }
    return tuple(running.values()) if len(running) <= MAX_IMPLEMENTATIONS else ()


def _overrides(one: MemberFact, member: MemberFact) -> bool:
    return "override" in one.modifiers and len(one.parameters) == len(member.parameters)


def _below(catalog: Catalog, info: TypeInfo) -> Iterator[TypeInfo]:
    """Yield the classes that derive from a type, nearest first."""
    seen = {info.key}
    pending = deque(catalog.derived(info))
    while pending and len(seen) < MAX_DERIVED:
        one = pending.popleft()
        if one.key not in seen:
            seen.add(one.key)
            pending.extend(catalog.derived(one))
            yield one
