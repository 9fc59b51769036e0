"""Tell whose statements can mean something else since types of C# came, went or changed.

Names are what statements ask for. So those of the types count, then those of members that name such a type where they
are declared, of types that derive from one, and so on. What implements something, or no longer does, matters to those
who call it by what only declares it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import MODULE, FileFacts, MemberFact
from ragduck.garbage import without_collection
from ragduck.graph.code.overrides import may_be_overridden
from ragduck.graph.types.declarations import INTERFACES
from ragduck.preparation import followed_types
from ragduck.preparation.declared_otherwise import declared_otherwise, extends, last_name
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts
from ragduck.preparation.followed_types import MOST_NAMES, FollowedTypes
from ragduck.preparation.imported_otherwise import is_said_otherwise
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.opened_for_others import Opening, with_what_is_opened
from ragduck.preparation.opened_otherwise import Files, files_of, names_by_namespace, seen_otherwise


class OnlyMembers(NamedTuple):
    """Members that are declared otherwise, or are of other types by what their files import, before and now.

    ``may_be_in_values`` where values of others may mean something else by that, too.
    """

    members: tuple[MemberFact, ...]
    may_be_in_values: bool


def touched_by_types(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Mapping[str, FileFacts],
    words: KnownWords | None = None,
) -> frozenset[str] | OnlyMembers | None:
    """Return the files whose statements may mean something else, those that changed among them.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, ``files``
    what these are, by path; ``words`` tells where words stood in an earlier run.
    Where all types are what they were, only members count. None where it takes reading all files to know.
    """
    with without_collection():
        try:
            opening = with_what_is_opened(files_of(heads, facts, changed, files), facts, words)
            found = _touched(opening, facts, words)
        except CannotTellError:
            return None
    return found | changed | opening.paths if isinstance(found, frozenset) else found


def _touched(
    opening: Opening, facts: Mapping[str, bytes], words: KnownWords | None
) -> frozenset[str] | OnlyMembers | None:
    """Return the files that changed files reach; members that are, where no type is and nothing opens for others.

    Raises CannotTellError.
    """
    files, projects = opening.files, opening.projects
    before, now = (
        {path: file for path, file in each.items() if path not in projects}
        for each in (files.before, files.now)
    )
    otherwise = declared_otherwise(before, now, names_by_namespace(files))
    seen = seen_otherwise(files) if otherwise is not None else None
    if otherwise is None or seen is None:
        return None
    types = otherwise.types | seen
    declared = (one for each in (files.before, files.now) for file in each.values() for one in file.members)
    members = tuple(one for one in declared if last_name(one) in otherwise.members)
    if not types and not opening.is_any:
        return OnlyMembers(members, _are_values_otherwise(files, otherwise.members))
    others = [one for one in members if one.owner not in types]
    return _Reached(DeclaredParts(files, facts, words), types, others).paths()


def _are_values_otherwise(files: Files, members: AbstractSet[str]) -> bool:
    pairs = ((file, files.now[path]) for path, file in files.before.items() if path in files.now)
    return any(is_said_otherwise(before, now, files, members) for before, now in pairs)


class _Reached:
    """What is reached from types that are declared otherwise, or gone, or new, and members of others that are."""

    def __init__(self, parts: DeclaredParts, types: AbstractSet[str], members: Sequence[MemberFact]) -> None:
        self._parts = parts
        self._followed = FollowedTypes(self._parts, types)
        self._own = types
        self._otherwise = members

    def paths(self) -> frozenset[str]:
        """Return the files that are reached. Raises CannotTellError."""
        followed = self._followed
        self._check_classes()
        followed.follow()
        asked_apart = followed.asked_apart | set(self._extensions())
        members = followed.member_names - asked_apart
        left_open = self._only_declared()
        asked = asked_apart | members | {last_name(one) for one in (*left_open, *self._otherwise)}
        if len(asked) + len(followed.names) > MOST_NAMES:
            raise CannotTellError
        followed.check_values(asked)
        everywhere = self._parts.seen.keys()
        found = {
            *followed.paths,
            *followed.naming(everywhere),
            *followed.standing_in(asked_apart, everywhere),
        }
        found.update(followed.calling(self._parts.methods_otherwise(), everywhere))
        holding = {key for key, its in followed.members.items() if not its.isdisjoint(members)}
        found.update(self._reaching(holding, members, everywhere - found))
        for declared in (left_open, self._otherwise):
            owners, names = {one.owner for one in declared}, {last_name(one) for one in declared}
            found.update(self._reaching(owners, names, everywhere - found))
        return frozenset(found)

    def _reaching(
        self, types: AbstractSet[str], names: AbstractSet[str], among: AbstractSet[str]
    ) -> AbstractSet[str]:
        """Return those among files that name members and can reach the types that have them, as far as names tell."""
        paths = frozenset(self._followed.standing_in(names, among))
        if len(paths) < followed_types.WORTH_FILES:
            return paths
        followed = FollowedTypes(self._parts, types)
        try:
            followed.follow()
            followed.follow_declaring(names)
            return followed.having(paths)
        except CannotTellError:
            return paths

    def _check_classes(self) -> None:
        """Give up where a type is one of tests in one file, and none in another: rules go by the first.

        Likewise where it is a module of Visual Basic, of which nobody names the type.
        """
        for key in self._own:
            parts = self._parts.of[key]
            if len({one.file.file_class for one in parts}) > 1 or any(
                MODULE in one.declared.modifiers for one in parts
            ):
                raise CannotTellError

    def _extensions(self) -> Iterator[str]:
        """Yield the names of extension methods that are declared otherwise: nothing names what has them."""
        for file in self._parts.all_files():
            for one in file.members:
                if one.owner in self._own and extends(one):
                    yield one.name
        yield from (one.name for one in self._otherwise if extends(one))

    def _only_declared(self) -> Sequence[MemberFact]:
        """Return what types implement or override that are not what they were: their bases leave it open."""
        parts = self._parts.of
        bases = self._parts.bases(self._followed.types)
        found: list[MemberFact] = []
        for file in {part.file.path: part.file for key in bases for part in parts[key]}.values():
            for one in file.members:
                is_open = (
                    one.owner in self._interfaces or "abstract" in one.modifiers or may_be_overridden(one)
                )
                if one.owner in bases and is_open and (one.kind == "METHOD" or one.name in self._acting):
                    found.append(one)
        return found

    @cached_property
    def _interfaces(self) -> set[str]:
        return {
            key
            for key, parts in self._parts.of.items()
            if any(part.declared.element_type in INTERFACES for part in parts)
        }

    @cached_property
    def _acting(self) -> frozenset[str]:
        """The names of properties that do something: of others it means nothing who implements them."""
        keys = (key for one in map(self._parts.mentions_of, self._parts.seen) for key in one.acting)
        return frozenset(key.rpartition("|")[0].rpartition(".")[2] for key in keys)
