"""What is found out about names and members, and a memory for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from ragduck.facts import MemberFact
from ragduck.graph.types.declarations import TypeRef

METHOD = "METHOD"
MAX_REMEMBERED = 100_000  # some 300 bytes each

Key = TypeVar("Key")
Value = TypeVar("Value")


class Found(NamedTuple):
    """Members of one name on one type: ``declaring`` has the type arguments put in.

    ``is_extension`` holds where the receiver is the first argument.
    """

    members: tuple[MemberFact, ...]
    declaring: TypeRef
    is_extension: bool = False

    @property
    def is_method(self) -> bool:
        """Say whether it can be called, rather than read and what it holds be called."""
        return self.members[0].kind == METHOD


class Root(NamedTuple):
    """What a name means: members that it finds, or a type, or else the first part of a longer ``path``.

    ``rule`` says where members were found.
    """

    found: Found | None = None
    type: TypeRef | None = None
    path: str = ""
    rule: str = ""

    @property
    def is_known(self) -> bool:
        """Say whether the name means a member or a type."""
        return self.found is not None or self.type is not None


class Recent(dict[Key, Value]):
    """What was found out lately: all of it is forgotten when it has grown large, and found out again where asked."""

    def __setitem__(self, key: Key, value: Value) -> None:
        if len(self) >= MAX_REMEMBERED:
            self.clear()
        super().__setitem__(key, value)


@dataclass(frozen=True, slots=True)
class Memory:
    """What has been found out with a catalog, and lives as long as that.

    ``member_types`` has the types of members by their ids, ``members`` what a name means on a type by type key and
    name, ``roots`` what a bare name means by path, key of the type around and name,
    ``resolved`` likewise what a written type means. ``namesakes`` tells by type key whether generic and plain types
    share it, ``meant`` has the members of such a key in order, by name and number of type arguments, too;
    ``declared`` what those declare with some numbers of type parameters. ``returns_own`` tells by name and language
    whether an extension method may return something of a type declared here.
    """

    member_types: dict[int, TypeRef | None] = field(default_factory=dict)
    members: Recent[tuple[str, str], Found | None] = field(default_factory=Recent)
    roots: Recent[tuple[str, str, str], Root] = field(default_factory=Recent)
    resolved: Recent[tuple[str, str, str], TypeRef] = field(default_factory=Recent)
    namesakes: dict[str, bool] = field(default_factory=dict)
    meant: Recent[tuple[str, str, int], tuple[MemberFact, ...]] = field(default_factory=Recent)
    declared: dict[tuple[str, frozenset[int]], Mapping[str, Sequence[MemberFact]]] = field(
        default_factory=dict
    )
    returns_own: Recent[tuple[str, str], bool] = field(default_factory=Recent)
