"""Tell which members stand for something else since others are declared otherwise, by the names in their values.

Values are made of constants that are made of constants: each member of which the value names one that changed has a
name that counts as well. So do marks, which frameworks read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import Attribute, Call, FileFacts, MemberFact, New, Text, Typed, TypeOf
from ragduck.facts.packing import (
    CLASSES_IN_WORDS,
    head_of,
    in_words,
    read_head,
    statements_in_words,
)
from ragduck.graph.types.declarations import family_of
from ragduck.preparation.declared_otherwise import LANGUAGE, is_of_unknown_type, last_name, texts_in, words_in
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.standing_names import PackedTexts, in_bytes, stands_in

MOST_NAMES = 100  # that are followed
_PATH = re.compile(r"\w+(?:\.\w+)*")  # what a text is that may name a member
_MANY = (tuple, list, frozenset)


class Heads:
    """The declarations of all files, and of those that changed as they were: ``files`` reads all that there are."""

    def __init__(
        self,
        before: Mapping[str, bytes],
        facts: Mapping[str, bytes],
        changed: AbstractSet[str],
        files: Callable[[], Mapping[str, FileFacts]],
        words: KnownWords | None = None,
    ) -> None:
        self._before = {path: before[path] for path in changed if path in before}
        self._texts_before = PackedTexts(self._before, lambda path: in_words(self._before[path]))
        known = words.heads if words is not None else None
        self._texts = PackedTexts(facts, lambda path: in_words(head_of(facts[path])), known)
        self._files = files

    def holding(self, names: Iterable[str]) -> Iterator[FileFacts]:
        """Yield the files in whose declarations one of the names stands."""
        words = in_bytes(names)
        for path in sorted({path for word in words for path in self._texts_before.holding(word)}):
            yield read_head(self._before[path])
        for path in sorted({path for word in words for path in self._texts.holding(word)}):
            yield self._files()[path]


class Names:
    """Names that are looked for among the words of statements."""

    def __init__(self, names: AbstractSet[str]) -> None:
        self._names = in_bytes(names - CLASSES_IN_WORDS.keys())
        self._of_classes = [
            (name.encode(), CLASSES_IN_WORDS[name]) for name in names & CLASSES_IN_WORDS.keys()
        ]

    def standing_in(self, facts: Mapping[str, bytes], words: KnownWords | None = None) -> set[str]:
        """Return the files in whose statements one of the names stands, by their packed ``facts``.

        ``words`` tells where words stood in an earlier run.
        """
        if words is None:
            return {path for path, packed in facts.items() if self._stand_in(statements_in_words(packed))}
        texts = PackedTexts(facts, lambda path: statements_in_words(facts[path]), words.statements)
        found = {path for name in self._names for path in texts.holding(name)}
        others = (path for path in facts if path not in found) if self._of_classes else ()
        found.update(path for path in others if self._name_classes(statements_in_words(facts[path])))
        return found

    def _stand_in(self, statements: bytes) -> bool:
        return any(stands_in(name, statements) for name in self._names) or self._name_classes(statements)

    def _name_classes(self, statements: bytes) -> bool:
        """Say whether a name of a class of facts stands by itself, too."""
        return any(stands_in(name, statements.replace(as_class, b"")) for name, as_class in self._of_classes)


class Valued(NamedTuple):
    """The names of members whose values name one that changed, one through another.

    ``is_elsewhere`` holds where something beside the value of a member names one: a constructor that hands it on,
    which decides on what members of several types hold, a mark or a view. Names are not all told then, and no
    members, which are those with such values, and constructors that give one to others.
    """

    names: frozenset[str]
    is_elsewhere: bool
    members: tuple[MemberFact, ...] = ()


def valued_by(names: AbstractSet[str], heads: Heads) -> Valued:
    """Follow names of members that are declared otherwise to those whose values name them."""
    found: set[str] = set()
    members: list[MemberFact] = []
    pending = set(names)
    while pending and len(found) <= MOST_NAMES:
        fresh: set[str] = set()
        for file in heads.holding(pending):
            if _names_elsewhere(file, pending):
                return Valued(frozenset(found), is_elsewhere=True)
            if family_of(file.language) == LANGUAGE:
                for member, name in _whose_values_name(file, pending):
                    members.append(member)
                    fresh.add(name)
        pending = fresh - found - names
        found |= pending
    return Valued(frozenset(found), is_elsewhere=False, members=tuple(members))


def typed_by(names: AbstractSet[str], heads: Heads) -> frozenset[str]:
    """Follow names of members that are declared otherwise to those that have the types of such values."""
    found: set[str] = set()
    assigned: set[str] = set()
    pending = set(names)
    while pending:
        given: set[str] = set()
        fresh: set[str] = set()
        for file in heads.holding(pending):
            for one in file.members if family_of(file.language) == LANGUAGE else ():
                given.update(_assigned(one, pending))
                if is_of_unknown_type(one) and not pending.isdisjoint(words_in(texts_in(one.value))):
                    fresh.add(last_name(one))
        given -= assigned
        assigned |= given
        fresh |= _untyped(given, heads)
        pending = fresh - found - names
        found |= pending
    return frozenset(found)


def _asked_in(values: object) -> Iterator[str]:
    """Yield the texts in values by which members may be asked for: no types, no parameters, and no sentences."""
    pending = [values]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Text):
            if _PATH.fullmatch(one.value):
                yield one.value
        elif isinstance(one, New):
            pending.extend(one.arguments)
        elif isinstance(one, Call):
            pending += [one.function, *one.arguments]
        elif isinstance(one, Attribute):
            pending += [argument.value for argument in one.arguments]
        elif isinstance(one, _MANY) and not isinstance(one, (Typed, TypeOf)):
            pending.extend(one)


def _names_any(values: object, names: AbstractSet[str]) -> bool:
    return not names.isdisjoint(words_in(_asked_in(values)))


def _whose_values_name(file: FileFacts, names: AbstractSet[str]) -> Iterator[tuple[MemberFact, str]]:
    """Yield the members of a file that hold or return what one of the names stands for, or say so of others.

    With each goes the name of what does.
    """
    for member in file.members:
        defaults = [one.default for one in member.parameters]
        if _names_any((member.value, *defaults), names):
            yield member, last_name(member)
        yield from ((member, one.member) for one in member.assignments if _names_any(one.value, names))


def _assigned(member: MemberFact, names: AbstractSet[str]) -> Iterator[str]:
    """Yield the members that a constructor gives a value which one of the names tells, or that is another itself."""
    is_other = member.element_type == "constructor" and member.name in names
    for one in member.assignments:
        if is_other or not names.isdisjoint(words_in(texts_in(one.value))):
            yield one.member


def _untyped(names: AbstractSet[str], heads: Heads) -> set[str]:
    """Return those of the names that are of members whose types come from values."""
    if not names:
        return set()
    members = (one for file in heads.holding(names) for one in file.members)
    return {last_name(one) for one in members if last_name(one) in names and is_of_unknown_type(one)}


def _names_elsewhere(file: FileFacts, names: AbstractSet[str]) -> bool:
    """Say whether what a constructor of a file takes or hands on names one of these, or a mark or a view does."""
    if _names_any([view.name for view in file.views], names):
        return True
    if family_of(file.language) != LANGUAGE:
        return False
    for member in file.members:
        taken: list[object] = [one.triggers for one in member.parameters]
        if member.element_type == "constructor":
            taken += [one.default for one in member.parameters]
        if _names_any((member.attributes, member.handed_on, taken), names):
            return True
    for one in file.types:
        taken = [(each.default, each.triggers) for each in one.parameters]
        if _names_any((one.attributes, one.base_arguments, taken), names):
            return True
    return False
