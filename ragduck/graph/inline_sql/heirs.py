"""Find the concrete classes that run a member of a base class as it is written there."""

from __future__ import annotations

from collections import deque

from ragduck.facts import FileFacts, Member, MemberFact, Name
from ragduck.graph.types.catalog import Catalog, TypeInfo

_MAX_HEIRS = 2_000


class Heirs:
    """Answer which classes inherit a member, keeping what was worked out."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._known: dict[str, tuple[TypeInfo, ...]] = {}
        self._base_calls: dict[str, frozenset[tuple[str, str]]] = {}
        self.looked_elsewhere = (
            0  # how often other files' statements, or the lines of their members, mattered
        )

    def of(self, owner: TypeInfo, *, source: str, line: int) -> tuple[TypeInfo, ...]:
        """Return the concrete classes under ``owner`` save those that override its member without calling it."""
        member = self._member_at(owner, source, line)
        heirs = self.concrete(owner)
        if member is None or member.kind != "METHOD":
            return heirs
        return tuple(heir for heir in heirs if not self._replaces(heir, owner, member))

    def concrete(self, owner: TypeInfo) -> tuple[TypeInfo, ...]:
        """Return the concrete classes below a type."""
        known = self._known.get(owner.key)
        if known is None:
            found: dict[str, TypeInfo] = {}
            pending = deque(self._catalog.derived(owner))
            while pending and len(found) < _MAX_HEIRS:
                info = pending.popleft()
                if info.key not in found and info is not owner:
                    found[info.key] = info
                    pending.extend(self._catalog.derived(info))
            known = self._known[owner.key] = tuple(info for info in found.values() if is_concrete(info))
        return known

    def _member_at(self, owner: TypeInfo, source: str, line: int) -> MemberFact | None:
        self.looked_elsewhere += len(owner.files) > 1
        members = (one for members in owner.members.values() for one in members if one.key == source)
        return next((one for one in members if one.line <= line <= one.end_line), None)

    def _replaces(self, heir: TypeInfo, owner: TypeInfo, member: MemberFact) -> bool:
        """Tell whether a class between has an override that never calls the member it overrides."""
        for override in self._catalog.members(heir, member.name):
            if override is member or self._catalog.owner_of(override.key) is owner:
                return False
            if "override" in override.modifiers and len(override.parameters) == len(member.parameters):
                return not self._calls_base(override)
        return False

    def _calls_base(self, override: MemberFact) -> bool:
        self.looked_elsewhere += 1
        file = self._catalog.home_of(override)
        calls = self._base_calls.get(file.path)
        if calls is None:
            calls = self._base_calls[file.path] = _base_calls(file)
        return (override.key, override.name) in calls


def is_concrete(info: TypeInfo) -> bool:
    """Say whether objects of a type can be made."""
    return not info.is_interface and not any("abstract" in one.modifiers for one in info.declarations)


def _base_calls(file: FileFacts) -> frozenset[tuple[str, str]]:
    """Return which members of a file call what on `base`."""
    return frozenset(
        (fact.source, fact.call.function.name)
        for fact in file.calls
        if isinstance(fact.call.function, Member) and fact.call.function.receiver == Name("base")
    )
