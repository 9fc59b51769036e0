"""Tell whose statements can mean something else since types of C# came, went or changed.

Names are what statements ask for. So those of the types count, then those of members that name such a type where they
are declared, of types that derive from one, and so on. What implements something, or no longer does, matters to those
who call it by what only declares it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import MODULE, FileFacts, MemberFact, Mentions, TypeFact
from ragduck.facts.digests import NO_DECLARATIONS
from ragduck.facts.packing import declarations_of, named_in, parts_in_words, read_head, read_mentions
from ragduck.garbage import without_collection
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import INTERFACES, family_of
from ragduck.graph.types.page_bases import GIVING
from ragduck.graph.types.visibility import RAZOR_IMPORTS
from ragduck.preparation.declared_otherwise import (
    LANGUAGE,
    declared_otherwise,
    is_of_unknown_type,
    last_name,
    named_by_member,
    named_by_type,
    words_in,
)
from ragduck.preparation.imported_otherwise import is_said_otherwise
from ragduck.preparation.opened_otherwise import Files, names_by_namespace, seen_otherwise

MOST_NAMES = 100  # that are looked for: each takes some 15 ms of 40 MB of facts
MOST_TYPES = 200  # that are not what they were, one through another
SHORT_TEXT = 0x8C  # what stands two bytes before a short text in a pickle: its length is between


class CannotTellError(Exception):
    """Whose statements can mean something else cannot be told."""


class _Part(NamedTuple):
    """One declaration of a type, and the file that it stands in."""

    declared: TypeFact
    file: FileFacts


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
) -> frozenset[str] | OnlyMembers | None:
    """Return the files whose statements may mean something else, those that changed among them.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, ``files``
    what these are, by path.
    Where all types are what they were, only members count. None where it takes reading all files to know.
    """
    with without_collection():
        found = _touched(_files(heads, facts, changed, files), facts)
    return found | changed if isinstance(found, frozenset) else found


def _touched(files: Files, facts: Mapping[str, bytes]) -> frozenset[str] | OnlyMembers | None:
    otherwise = declared_otherwise(files.before, files.now, names_by_namespace(files))
    seen = seen_otherwise(files) if otherwise is not None else None
    if otherwise is None or seen is None:
        return None
    types = otherwise.types | seen
    if not types:
        declared = (
            one for each in (files.before, files.now) for file in each.values() for one in file.members
        )
        members = tuple(one for one in declared if last_name(one) in otherwise.members)
        return OnlyMembers(members, _are_values_otherwise(files, otherwise.members))
    try:
        return _Reached(files, facts, types, otherwise.members).paths()
    except CannotTellError:
        return None


def _are_values_otherwise(files: Files, members: AbstractSet[str]) -> bool:
    pairs = ((file, files.now[path]) for path, file in files.before.items() if path in files.now)
    return any(is_said_otherwise(before, now, files, members) for before, now in pairs)


def stands_in(name: bytes, words: bytes) -> bool:
    """Say whether a name stands in packed words by itself, not as a part of another."""
    at = words.find(name)
    while at >= 0:
        if not _goes_on_before(words, at) and not _goes_on(words, at + len(name)):
            return True
        at = words.find(name, at + 1)
    return False


def _goes_on_before(words: bytes, at: int) -> bool:
    """Say whether a name begins further left; the length of a text is no letter, whatever it looks like."""
    if at == 0 or (at > 1 and words[at - 2] == SHORT_TEXT):
        return False
    return _is_letter(words[at - 1]) or words[at - 1] >= 0x80


def _goes_on(words: bytes, end: int) -> bool:
    """Say whether a name goes on: with a letter, or the first byte of one beyond ASCII."""
    return end < len(words) and (_is_letter(words[end]) or 0xC2 <= words[end] <= 0xF4)


def _is_letter(byte: int) -> bool:
    return byte == ord("_") or bytes((byte,)).isalnum()


def _files(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    read: Mapping[str, FileFacts],
) -> Files:
    """Tell the declarations apart that files of C# can see."""
    before = {path: read_head(heads[path]) for path in changed if path in heads}
    now = {
        path: read[path]
        for path in changed
        if path in read and declarations_of(facts[path]) != NO_DECLARATIONS
    }
    others = {
        path: file
        for path, file in read.items()
        if path not in changed and family_of(file.language) == LANGUAGE
    }
    return Files(before, now, others)


class _Reached:
    """Follow names from types that are declared otherwise to what may mean something else."""

    def __init__(
        self, files: Files, facts: Mapping[str, bytes], types: AbstractSet[str], members: AbstractSet[str]
    ) -> None:
        self._files = files
        self._seen = files.as_they_are
        self._facts = facts
        self._own = types
        self._types = set(types)
        self._members = set(members)
        self._names: set[str] = set()
        self._paths: set[str] = set()

    def paths(self) -> frozenset[str]:
        """Return the files that are reached. Raises CannotTellError."""
        self._check_classes()
        self._follow()
        self._members.update(self._extensions())
        self._members |= self._only_declared()
        self._check_values()
        called = self._methods()
        asked = {name for one in self._names for name in (one, one.removesuffix(ENDING)) if name}
        words = in_bytes(asked | self._members)
        for path in self._files.others.keys() - self._paths:
            statements = parts_in_words(self._facts[path])[1]
            is_calling = not called.isdisjoint(self._mentions[path].called)
            if is_calling or any(stands_in(word, statements) for word in words):
                self._paths.add(path)
        return frozenset(self._paths)

    @cached_property
    def _mentions(self) -> Mapping[str, Mentions]:
        return {path: read_mentions(named_in(self._facts[path])) for path in self._seen}

    @cached_property
    def _parts(self) -> Mapping[str, list[_Part]]:
        """All declarations by the keys of their types, as they were and as they are."""
        found: defaultdict[str, list[_Part]] = defaultdict(list)
        for file in self._all_files():
            for one in file.types:
                found[one.key].append(_Part(one, file))
        return found

    def _all_files(self) -> Iterator[FileFacts]:
        for each in self._files:
            yield from each.values()

    def _check_classes(self) -> None:
        """Give up where a type is one of tests in one file, and none in another: rules go by the first.

        Likewise where it is a module of Visual Basic, of which nobody names the type.
        """
        for key in self._own:
            parts = self._parts[key]
            if len({one.file.file_class for one in parts}) > 1 or any(
                MODULE in one.declared.modifiers for one in parts
            ):
                raise CannotTellError

    def _follow(self) -> None:
        """Add types and members whose declarations name what is not what it was, and the files they stand in."""
        heads = {path: parts_in_words(self._facts[path])[0] for path in self._seen}
        pending = {part.declared.name for key in self._own for part in self._parts[key]}
        while pending:
            self._names |= pending
            if len(self._types) > MOST_TYPES or len(self._names) > MOST_NAMES:
                raise CannotTellError
            words = in_bytes(pending)
            known = len(self._types)
            for path, head in heads.items():
                if any(stands_in(word, head) for word in words):
                    self._look_at(self._seen[path])
            added = self._types if len(self._types) > known else set()
            pending = {part.declared.name for key in added for part in self._parts[key]} - self._names

    def _look_at(self, file: FileFacts) -> None:
        self._paths.add(file.path)
        names = self._names_in(file)
        if file.path.lower().endswith(RAZOR_IMPORTS) or any(map(is_of_unknown_type, file.members)):
            raise CannotTellError
        for one in file.types:
            is_namesake = file.language != LANGUAGE and one.name in names  # the other half of a component
            if is_namesake or one.owner in self._types or not names.isdisjoint(words_in(named_by_type(one))):
                self._add_type(one, file)
        for member in file.members:
            if member.owner not in self._own and not names.isdisjoint(words_in(named_by_member(member))):
                if last_name(member).isidentifier():
                    self._members.add(last_name(member))
                else:
                    self._types.add(member.owner)

    def _add_type(self, declared: TypeFact, file: FileFacts) -> None:
        if file.language not in (LANGUAGE, "razor"):
            raise CannotTellError  # others see what a form has without naming it
        self._types.add(declared.key)

    def _names_in(self, file: FileFacts) -> set[str]:
        """Return the names of types, with those that a file gives them; none that holds for a project."""
        found = set(self._names)
        for one in file.imports:
            if (one.alias or one.is_static) and not self._names.isdisjoint(words_in((one.name,))):
                if one.is_global:
                    raise CannotTellError
                found.add(one.alias)
        return found - {""}

    def _methods(self) -> frozenset[str]:
        """Return the names that methods have now alone or had before: a call waits where there is one."""
        before, now, others = (
            {one.name for file in each.values() for one in file.members if self._is_method(one)}
            for each in self._files
        )
        return frozenset((before ^ now) - others)

    def _is_method(self, member: MemberFact) -> bool:
        """Say whether a member is a method of a type: no call waits for a function outside of types."""
        return member.kind == "METHOD" and member.owner in self._parts

    def _extensions(self) -> Iterator[str]:
        """Yield the names of extension methods of types that are declared otherwise: what they extend names none."""
        for file in self._all_files():
            for one in file.members:
                if one.owner in self._own and one.parameters and one.parameters[0].is_this:
                    yield one.name

    def _only_declared(self) -> set[str]:
        """Return the names of what types implement that are not what they were: their bases leave it open."""
        bases = self._bases()
        acting = self._acting if bases else frozenset()
        found = set()
        for file in {part.file.path: part.file for key in bases for part in self._parts[key]}.values():
            for one in file.members:
                is_open = one.owner in self._interfaces or "abstract" in one.modifiers
                if one.owner in bases and is_open and (one.kind == "METHOD" or one.name in acting):
                    found.add(last_name(one))
        return found

    def _bases(self) -> set[str]:
        """Return the keys of all types that those may derive from which are not what they were, by their names."""
        named: defaultdict[str, set[str]] = defaultdict(set)
        for key, parts in self._parts.items():
            for part in parts:
                named[part.declared.name].add(key)
        aliases = {one.alias for file in self._all_files() for one in file.imports if one.is_global} - {""}
        found: set[str] = set()
        pending = list(self._types)
        while pending:
            for part in self._parts[pending.pop()]:
                for name in self._base_names(part):
                    if name in aliases:
                        raise CannotTellError
                    fresh = named.get(name, set()) - found
                    found |= fresh
                    pending.extend(fresh)
        return found

    def _base_names(self, part: _Part) -> Iterator[str]:
        """Yield the names of the bases of a type; a component has its other half for one."""
        aliases = {one.alias: one.name for one in part.file.imports if one.alias}
        for written in part.declared.bases:
            name = written.partition("<")[0].rstrip("?")
            name = aliases.get(name, name).partition("<")[0].rpartition(".")[2]
            yield name.rpartition(":")[2]
        if part.file.language != LANGUAGE:
            if any(view.how == "inherits" for path in self._giving for view in self._seen[path].views):
                raise CannotTellError
            yield part.declared.name

    @cached_property
    def _giving(self) -> list[str]:
        """The files that give the views below them a base."""
        return [path for path in self._seen if path.rpartition("/")[2].lower() in GIVING]

    @cached_property
    def _interfaces(self) -> set[str]:
        return {
            key
            for key, parts in self._parts.items()
            if any(part.declared.element_type in INTERFACES for part in parts)
        }

    @cached_property
    def _acting(self) -> frozenset[str]:
        """The names of properties that do something: of others it means nothing who implements them."""
        keys = (key for one in self._mentions.values() for key in one.acting)
        return frozenset(key.rpartition("|")[0].rpartition(".")[2] for key in keys)

    def _check_values(self) -> None:
        """Give up where a member may have another type by its value; see who makes objects under another name."""
        if len(self._members) + len(self._names) > MOST_NAMES:
            raise CannotTellError
        words = in_bytes(self._members)
        for path, file in self._seen.items():
            is_open = any(map(is_of_unknown_type, file.members))
            if not (is_open or any(one.alias for one in file.imports)):
                continue
            head = parts_in_words(self._facts[path])[0]
            if is_open and any(stands_in(word, head) for word in words):
                raise CannotTellError
            for one in file.imports:
                if one.alias and not self._members.isdisjoint(words_in((one.name,))):
                    if one.is_global or file.language != LANGUAGE:
                        raise CannotTellError
                    self._paths.add(path)


def in_bytes(names: Iterable[str]) -> list[bytes]:
    """Return names as `stands_in` looks for them."""
    return sorted(name.encode("utf-8", errors="surrogatepass") for name in names)
