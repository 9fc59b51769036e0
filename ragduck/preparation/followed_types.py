"""Follow types of C# by their names: to types whose declarations name them, members that are of them, and so on."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, TypeFact
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import UNNAMED
from ragduck.graph.types.opened_for_many import RAZOR_IMPORTS
from ragduck.preparation.declared_otherwise import (
    LANGUAGE,
    extends,
    is_of_unknown_type,
    last_name,
    named_by_member,
    named_by_type,
    words_in,
)
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts
from ragduck.preparation.standing_names import in_bytes, stands_in

MOST_NAMES = 1_000  # that are looked for
WORTH_FILES = 25  # that name a member: to follow types takes as long as to read some 20
WORTH_OUTER = 25  # files that name a member of a type: from there on types that have one are followed, too
MOST_TYPES = 500  # that are not what they were, one through another


class _Meant(NamedTuple):
    """A name as it stands among declarations, and those of which one stands there, too, if there are any."""

    word: bytes
    around: Sequence[bytes]

    @classmethod
    def of(cls, name: str, around: AbstractSet[str]) -> _Meant:
        """Return what to look for."""
        return cls(in_bytes((name,))[0], in_bytes(around))

    def may_be_in(self, head: bytes) -> bool:
        """Say whether the declarations of a file can mean it."""
        return stands_in(self.word, head) and (
            not self.around or any(stands_in(one, head) for one in self.around)
        )


class FollowedTypes:
    """Types that are followed by their names, and what they are followed to.

    ``own`` are the keys of those that are followed. ``types`` are these and what is declared by them. ``members`` are
    the names of members that are of one of them, by the keys of the types that have these, ``asked_apart`` such for
    which nobody needs to have a type. ``paths`` are the files that declare something by one of them. ``names`` are
    what types are called; a nested one is meant only where one of the names stands, too, that come with it.
    ``is_outer`` are types that have such members of others; those that have members of these are not followed again.
    Where they are followed for declarations, ``are_declarations``, it does not matter who sees a member unnamed.
    """

    def __init__(
        self,
        parts: DeclaredParts,
        own: Iterable[str],
        *,
        is_outer: bool = False,
        are_declarations: bool = False,
    ) -> None:
        self._parts = parts
        self._is_outer = is_outer
        self._are_declarations = are_declarations
        self.own = set(own)
        self.types = set(self.own)
        self.names: dict[str, AbstractSet[str]] = {}
        self.members: defaultdict[str, set[str]] = defaultdict(set)
        self.asked_apart: set[str] = set()
        self.paths: set[str] = set()
        self._meant: defaultdict[str, set[str]] = defaultdict(set)  # names by the files that can mean them

    def follow(self, own: Iterable[str] = ()) -> None:
        """Follow names, those of more types, too. Raises CannotTellError where there are too many."""
        self.own.update(own)
        self.types |= self.own
        pending = self._take_names(self.own)
        while pending:
            if len(self.types) > MOST_TYPES or len(self.names) > MOST_NAMES:
                raise CannotTellError
            known = set(self.types)
            meaning: set[str] = set()
            for name in pending:
                for path in self._meaning(name):
                    meaning.add(path)
                    self._meant[path].add(name)
            for path in sorted(meaning):
                self._look_at(self._parts.seen[path])
            pending = self._take_names(self.types - known)

    def _meaning(self, name: str) -> Iterator[str]:
        """Yield the files whose declarations can mean a name."""
        heads, meant = self._parts.heads, _Meant.of(name, self.names[name])
        return (path for path in self._parts.all_heads.holding(meant.word) if meant.may_be_in(heads[path]))

    def _take_names(self, types: Iterable[str]) -> set[str]:
        """Take the names of types, and return those that are new, or may be meant in more files than before."""
        fresh: set[str] = set()
        for part in (part for key in types for part in self._parts.of[key]):
            if part.declared.element_type in UNNAMED:
                continue
            name, around = part.declared.name, self._parts.names_around(part.declared)
            known = self.names.get(name)
            if known is None:
                self.names[name] = around
            elif known and not (around and around <= known):
                self.names[name] = known | around if around else around
            else:
                continue
            fresh.add(name)
        return fresh

    def _look_at(self, file: FileFacts) -> None:
        self.paths.add(file.path)
        names = self._names_in(file)
        is_of_value = any(map(is_of_unknown_type, file.members)) and not self._are_declarations
        if is_of_value or file.path.lower().endswith(RAZOR_IMPORTS):
            raise CannotTellError
        for one in file.types:
            is_namesake = file.language != LANGUAGE and one.name in names  # the other half of a component
            if is_namesake or one.owner in self.types or not names.isdisjoint(words_in(named_by_type(one))):
                self._add_type(one, file)
        for member in file.members:
            is_asked_apart = member.owner not in self.own or extends(member)  # not by naming the type itself
            if is_asked_apart and not names.isdisjoint(words_in(named_by_member(member))):
                if not last_name(member).isidentifier():
                    self.types.add(member.owner)
                elif extends(member) or member.owner not in self._parts.of:
                    self.asked_apart.add(last_name(member))
                else:
                    self.members[member.owner].add(last_name(member))

    def _add_type(self, declared: TypeFact, file: FileFacts) -> None:
        if file.language not in (LANGUAGE, "razor") and not self._are_declarations:
            raise CannotTellError  # others see what a form has without naming it
        self.types.add(declared.key)

    def _names_in(self, file: FileFacts) -> set[str]:
        """Return the names of types, with those that a file gives them; none that holds for a project.

        What an alias is closed with may be another one.
        """
        found = set(self._meant[file.path])
        aliases = [one for one in file.imports if one.alias or one.is_static]
        for one in (*aliases, *aliases):
            if not found.isdisjoint(words_in((one.name,))):
                if one.is_global:
                    raise CannotTellError
                found.add(one.alias)
        return found - {""}

    @property
    def member_names(self) -> set[str]:
        """The names of all members that are of a type which is followed."""
        return self.asked_apart.union(*self.members.values())

    def follow_declaring(self, names: AbstractSet[str]) -> None:
        """Follow those bases, too, that declare a member of one of some names. Raises CannotTellError."""
        bases = self._parts.bases(self.types)
        declaring = {part.file.path: part.file for key in bases for part in self._parts.of[key]}.values()
        members = (one for file in declaring for one in file.members if one.owner in bases)
        self.follow({one.owner for one in members if last_name(one) in names})

    def check_values(self, names: AbstractSet[str]) -> None:
        """Give up where a member may have another type by its value; see who makes objects under another name.

        ``names`` are those of members that are not what they were.
        """
        words = in_bytes(names)
        for path, file in self._parts.seen.items():
            is_open = any(map(is_of_unknown_type, file.members))
            if not (is_open or any(one.alias for one in file.imports)):
                continue
            head = self._parts.heads[path]
            if is_open and any(stands_in(word, head) for word in words):
                raise CannotTellError
            for one in file.imports:
                if one.alias and not names.isdisjoint(words_in((one.name,))):
                    if one.is_global or file.language != LANGUAGE:
                        raise CannotTellError
                    self.paths.add(path)

    def having(self, among: AbstractSet[str]) -> AbstractSet[str]:
        """Return those among files that may have something of a type that is followed, by what they name.

        So may files in other languages, which see more than what they name. Raises CannotTellError where all may.
        """
        if self._parts.have_visual_basic:
            raise CannotTellError  # that spells names as it likes
        self.check_values(self.member_names)
        if len(self.names) + len(self.member_names) > MOST_NAMES:
            raise CannotTellError
        seen = self._parts.seen
        others = {path for path in among if path not in seen or seen[path].language != LANGUAGE}
        found = {*(self.paths & among), *others, *self.naming(among)}
        found |= self.standing_in(self.asked_apart, among - found)
        return found | self._having_members(self.member_names, among - found)

    def _having_members(self, names: AbstractSet[str], among: AbstractSet[str]) -> AbstractSet[str]:
        """Return those among files that name a member and may have something of the type that has it.

        What a method returns that is called on something unknown is unknown, too, although it may be the only one of
        its name.
        """
        paths = self.standing_in(names, among)
        if self._is_outer or len(paths) < WORTH_OUTER:
            return paths
        outer = FollowedTypes(self._parts, self.members, is_outer=True)
        try:
            outer.follow()
            return outer.having(paths)
        except CannotTellError:
            return paths

    def naming(self, among: AbstractSet[str]) -> AbstractSet[str]:
        """Return those among other files in whose statements a type that is followed may be named.

        One that names a nested type has a name that comes with that, among its declarations or statements.
        """
        among = self._others(among)
        statements, found = self._parts.statements(among), set[str]()
        for name, around in self.names.items():
            meant = in_bytes(around)
            for word in in_bytes(_as_written(name)):
                found.update(
                    path
                    for path in statements.holding(word)
                    if path in among and (not around or self._parts.holds_any(meant, path))
                )
        return found

    def standing_in(self, names: AbstractSet[str], among: AbstractSet[str]) -> AbstractSet[str]:
        """Return those among other files in whose statements one of some names stands."""
        return self._parts.standing_in(names, self._others(among))

    def _others(self, among: AbstractSet[str]) -> AbstractSet[str]:
        """Return those among files that did not change, and do not declare something by a type either."""
        return (self._parts.files.others.keys() & among) - self.paths

    def calling(
        self, names: AbstractSet[str], among: AbstractSet[str], *, or_giving: bool = False
    ) -> Iterator[str]:
        """Yield those among other files that call something that has one of some names, or give it to what they call.

        So they ask for a method that extends something, which may be handed on without being called.
        """
        for path in self._parts.mentioning(names, self._parts.files.others.keys() & among):
            mentions = self._parts.mentions_of(path)
            if not names.isdisjoint((*mentions.called, *(mentions.given if or_giving else ()))):
                yield path


def _as_written(type_: str) -> set[str]:
    """Return what a type of some name may be called in statements, attributes among them."""
    return {type_, type_.removesuffix(ENDING)} - {""}
