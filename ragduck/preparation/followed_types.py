"""Follow types of C# by their names: to types whose declarations name them, members that are of them, and so on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet

from ragduck.facts import FileFacts, MemberFact, TypeFact
from ragduck.facts.packing import parts_in_words
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.visibility import RAZOR_IMPORTS
from ragduck.preparation.declared_otherwise import (
    LANGUAGE,
    is_of_unknown_type,
    last_name,
    named_by_member,
    named_by_type,
    words_in,
)
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts
from ragduck.preparation.standing_names import in_bytes, stands_in

MOST_NAMES = 100  # that are looked for: each takes some 15 ms of 40 MB of facts
WORTH_FILES = 50  # that name a member: to follow types takes as long as to read some 40
MOST_TYPES = 200  # that are not what they were, one through another


class FollowedTypes:
    """Types that are followed by their names, and what they are followed to.

    ``own`` are the keys of those that are followed. ``types`` are these and what is declared by them, ``names`` what
    they are called, ``members`` the names of members that are of one of them, and ``paths`` the files that declare
    something by one of them.
    """

    def __init__(self, parts: DeclaredParts, own: Iterable[str]) -> None:
        self._parts = parts
        self.own = set(own)
        self.types = set(self.own)
        self.names: set[str] = set()
        self.members: set[str] = set()
        self.paths: set[str] = set()

    def follow(self, own: Iterable[str] = ()) -> None:
        """Follow names, those of more types, too. Raises CannotTellError where there are too many."""
        self.own.update(own)
        self.types |= self.own
        pending = {part.declared.name for key in self.own for part in self._parts.of[key]} - self.names
        while pending:
            self.names |= pending
            if len(self.types) > MOST_TYPES or len(self.names) > MOST_NAMES:
                raise CannotTellError
            words = in_bytes(pending)
            known = set(self.types)
            for path, head in self._parts.heads.items():
                if any(stands_in(word, head) for word in words):
                    self._look_at(self._parts.seen[path])
            added = self.types - known
            pending = {part.declared.name for key in added for part in self._parts.of[key]} - self.names

    def _look_at(self, file: FileFacts) -> None:
        self.paths.add(file.path)
        names = self._names_in(file)
        if file.path.lower().endswith(RAZOR_IMPORTS) or any(map(is_of_unknown_type, file.members)):
            raise CannotTellError
        for one in file.types:
            is_namesake = file.language != LANGUAGE and one.name in names  # the other half of a component
            if is_namesake or one.owner in self.types or not names.isdisjoint(words_in(named_by_type(one))):
                self._add_type(one, file)
        for member in file.members:
            is_asked_apart = member.owner not in self.own or _extends(member)  # not by naming the type itself
            if is_asked_apart and not names.isdisjoint(words_in(named_by_member(member))):
                if last_name(member).isidentifier():
                    self.members.add(last_name(member))
                else:
                    self.types.add(member.owner)

    def _add_type(self, declared: TypeFact, file: FileFacts) -> None:
        if file.language not in (LANGUAGE, "razor"):
            raise CannotTellError  # others see what a form has without naming it
        self.types.add(declared.key)

    def _names_in(self, file: FileFacts) -> set[str]:
        """Return the names of types, with those that a file gives them; none that holds for a project.

        What an alias is closed with may be another one.
        """
        found = set(self.names)
        aliases = [one for one in file.imports if one.alias or one.is_static]
        for one in (*aliases, *aliases):
            if not found.isdisjoint(words_in((one.name,))):
                if one.is_global:
                    raise CannotTellError
                found.add(one.alias)
        return found - {""}

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
        self.check_values(self.members)
        names = self.written_names | self.members
        if len(names) > MOST_NAMES:
            raise CannotTellError
        seen = self._parts.seen
        others = {path for path in among if path not in seen or seen[path].language != LANGUAGE}
        return (self.paths & among).union(others, self.standing_in(names, among))

    @property
    def written_names(self) -> set[str]:
        """What types that are followed may be called in statements, attributes among them."""
        return {name for one in self.names for name in (one, one.removesuffix(ENDING)) if name}

    def standing_in(self, names: AbstractSet[str], among: AbstractSet[str]) -> Iterator[str]:
        """Yield those among other files in whose statements one of some names stands."""
        words = in_bytes(names)
        for path in (self._parts.files.others.keys() & among) - self.paths if words else ():
            statements = parts_in_words(self._parts.facts[path])[1]
            if any(stands_in(word, statements) for word in words):
                yield path

    def calling(self, names: AbstractSet[str], among: AbstractSet[str]) -> Iterator[str]:
        """Yield those among other files that call something that has one of some names."""
        for path in self._parts.files.others.keys() & among if names else ():
            if not names.isdisjoint(self._parts.mentions_of(path).called):
                yield path


def _extends(member: MemberFact) -> bool:
    return bool(member.parameters) and member.parameters[0].is_this
