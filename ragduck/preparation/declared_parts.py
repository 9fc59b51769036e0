"""Know all declarations of types of C#, as they were and as they are, and which names their bases have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import cached_property
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact, Mentions, TypeFact
from ragduck.facts.packing import head_of, in_words, named_in, read_mentions, statements_in_words
from ragduck.graph.types.declarations import is_visual_basic, outward
from ragduck.graph.types.opened_for_many import RAZOR_IMPORTS, OpenedForMany
from ragduck.graph.types.page_bases import GIVING
from ragduck.graph.types.written import read_written
from ragduck.preparation.declared_otherwise import LANGUAGE, words_in
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.opened_otherwise import Files
from ragduck.preparation.standing_names import PackedTexts, in_bytes, stands_in

FEW_SHARE = 4  # a quarter of all files: to look through more is to look through all, which is laid out once
MOST_AROUND = 50  # types around a nested one, and such that derive from one


class CannotTellError(Exception):
    """Whose statements can mean something else cannot be told."""


class Part(NamedTuple):
    """One declaration of a type, and the file that it stands in."""

    declared: TypeFact
    file: FileFacts


class _Heads(dict[str, bytes]):
    """The declarations of files as bytes in which their words stand, by path, as soon as they are asked for."""

    def __init__(self, facts: Mapping[str, bytes]) -> None:
        super().__init__()
        self._facts = facts

    def __missing__(self, path: str) -> bytes:
        head = self[path] = in_words(head_of(self._facts[path]))
        return head


class DeclaredParts:
    """All that files of C# declare, and the packed ``facts`` of all files by their paths.

    ``seen`` are the files as they are, ``heads`` has their declarations as bytes in which their words stand.
    ``words`` tells where words stood in an earlier run.
    """

    def __init__(self, files: Files, facts: Mapping[str, bytes], words: KnownWords | None = None) -> None:
        self.files = files
        self.seen = files.as_they_are
        self.facts = facts
        self.heads = _Heads(facts)
        self._words = words
        self._around: dict[str, AbstractSet[str]] = {}
        self._statements: dict[str, bytes] = {}

    def all_files(self) -> Iterator[FileFacts]:
        """Yield all files of C#, those that changed as they were and as they are."""
        for each in self.files:
            yield from each.values()

    @cached_property
    def of(self) -> Mapping[str, list[Part]]:
        """All declarations by the keys of their types, as they were and as they are."""
        found: defaultdict[str, list[Part]] = defaultdict(list)
        for file in self.all_files():
            for one in file.types:
                found[one.key].append(Part(one, file))
        return found

    @cached_property
    def have_visual_basic(self) -> bool:
        """Whether a file spells names as it likes."""
        return any(map(is_visual_basic, self.seen.values()))

    @cached_property
    def all_heads(self) -> PackedTexts:
        """The declarations of all files at once."""
        known = self._words.heads if self._words is not None else None
        return PackedTexts(self.seen, self.heads.__getitem__, known)

    @cached_property
    def _all_statements(self) -> PackedTexts:
        """The statements of all files at once."""
        known = self._words.statements if self._words is not None else None
        return PackedTexts(self.seen, self.statements_of, known)

    def statements(self, paths: Collection[str]) -> PackedTexts:
        """Return the statements of some files at once, or those of more."""
        if self._all_statements.is_indexed or len(paths) * FEW_SHARE > len(self.seen):
            return self._all_statements
        return PackedTexts(paths, self.statements_of)

    def standing_in(self, names: Collection[str], paths: Collection[str]) -> set[str]:
        """Return those of some files in whose statements one of the names stands."""
        return _holding(names, self.statements(paths)).intersection(paths) if names else set()

    def holds_any(self, words: Iterable[bytes], path: str) -> bool:
        """Say whether one of some words stands among the declarations or statements of a file."""
        texts = (self.heads[path], self.statements_of(path))
        return any(stands_in(word, text) for text in texts for word in words)

    def declaring(self, names: Collection[str]) -> set[str]:
        """Return the files in whose declarations one of the names stands."""
        return _holding(names, self.all_heads)

    def mentioning(self, names: Collection[str], paths: Iterable[str]) -> set[str]:
        """Return those of some files that have one of the names in what their statements name."""
        return _holding(names, PackedTexts(paths, lambda path: in_words(named_in(self.facts[path]))))

    def statements_of(self, path: str) -> bytes:
        """Return the statements of a file as bytes in which their words stand."""
        found = self._statements.get(path)
        if found is None:
            found = self._statements[path] = statements_in_words(self.facts[path])
        return found

    def mentions_of(self, path: str) -> Mentions:
        """Return what the statements of a file name."""
        return read_mentions(named_in(self.facts[path]))

    def methods_otherwise(self) -> frozenset[str]:
        """Return the names that methods have now alone or had before: a call waits where there is one."""
        before, now, others = (
            {one.name for file in each.values() for one in file.members if self._is_method(one)}
            for each in self.files
        )
        return frozenset((before ^ now) - others)

    def _is_method(self, member: MemberFact) -> bool:
        """Say whether a member is a method of a type: no call waits for a function outside of types."""
        return member.kind == "METHOD" and member.owner in self.of

    def seeing(self, types: Iterable[str], paths: Iterable[str]) -> set[str]:
        """Return those of some files that may see the namespace of a type: who opens or stands in it, and no C#.

        What is opened may be a part of a name. All see a type outside of namespaces.
        """
        scopes = {part.declared.scope for key in types for part in self.of[key]}
        for_many = OpenedForMany(self.seen)

        def may_see(file: FileFacts) -> bool:
            around = {space for one in file.types for space in outward(one.scope)}
            opened = {one.name for one in (*file.imports, *for_many.by(file))} | around
            return any(scope == one or scope.endswith(f".{one}") for scope in scopes for one in opened)

        files = ((path, self.seen.get(path)) for path in paths)
        return {
            path
            for path, file in files
            if "" in scopes
            or file is None
            or file.language != LANGUAGE
            or is_visual_basic(file)
            or may_see(file)
        }

    def bases(self, types: Iterable[str]) -> set[str]:
        """Return the keys of all types that some may derive from, by their names. Raises CannotTellError."""
        found: set[str] = set()
        pending = list(types)
        while pending:
            for part in self.of[pending.pop()]:
                for name in self._base_names(part):
                    if name in self._global_aliases:
                        raise CannotTellError
                    fresh = self.named.get(name, frozenset()) - found
                    found |= fresh
                    pending.extend(fresh)
        return found

    def names_around(self, declared: TypeFact) -> AbstractSet[str]:
        """Return names of which one stands in every file that can name a nested type.

        They are those of the type around it, and of all that derive from that. None where any file may.
        """
        known = self._around.get(declared.owner)
        if known is None:
            known = self._around[declared.owner] = self._names_around(declared.owner)
        return known

    def _names_around(self, owner: str) -> AbstractSet[str]:
        """Return the names of a type, and of those that derive from it, some within it: so do those of a union."""
        parts = () if self.have_visual_basic else self.of.get(owner, ())
        names = {part.declared.name for part in parts}
        within: set[str] = set()
        try:
            while len(names) <= MOST_AROUND:
                known = names | within
                for part in [part for name in known for part in self._deriving.get(name, ())]:
                    if not names.isdisjoint(self._base_names(part)) or self._stands_any_in(names, part.file):
                        (within if part.declared.owner == owner else names).add(part.declared.name)
                if names | within == known:
                    return names if names.isdisjoint(self._opened_for_many) else frozenset()
        except CannotTellError:
            pass
        return frozenset()

    def _stands_any_in(self, names: AbstractSet[str], file: FileFacts) -> bool:
        """Say whether one of some names stands among the declarations of a file; it may in one that changed."""
        if file.path in self.files.before or file.path not in self.seen:
            return True
        return any(stands_in(one, self.heads[file.path]) for one in in_bytes(names))

    @cached_property
    def _deriving(self) -> Mapping[str, Sequence[Part]]:
        """Types by the names of their bases. Raises CannotTellError."""
        found: defaultdict[str, list[Part]] = defaultdict(list)
        for part in (part for parts in self.of.values() for part in parts):
            for name in self._base_names(part):
                found[name].append(part)
        return found

    @cached_property
    def _opened_for_many(self) -> AbstractSet[str]:
        """The words of the types that files open for others, or call otherwise for them."""
        return frozenset(
            words_in(
                one.name
                for file in self.all_files()
                for one in file.imports
                if (one.alias or one.is_static)
                and (one.is_global or file.path.lower().endswith(RAZOR_IMPORTS))
            )
        )

    @cached_property
    def named(self) -> Mapping[str, AbstractSet[str]]:
        """The keys of types by their names."""
        named: defaultdict[str, set[str]] = defaultdict(set)
        for key, parts in self.of.items():
            for part in parts:
                named[part.declared.name].add(key)
        return named

    @cached_property
    def _global_aliases(self) -> AbstractSet[str]:
        return {one.alias for file in self.all_files() for one in file.imports if one.is_global} - {""}

    def _base_names(self, part: Part) -> Iterator[str]:
        """Yield the names of the bases of a type, with what the file means by them if no nested type comes first.

        A component has its other half for one.
        """
        aliases = {one.alias: one.name for one in part.file.imports if one.alias}
        for written in part.declared.bases:
            name = name_of(written)
            yield name.rpartition(".")[2]
            if name in aliases:
                yield name_of(aliases[name]).rpartition(".")[2]
        if part.file.language != LANGUAGE:
            if any(view.how == "inherits" for path in self._giving for view in self.seen[path].views):
                raise CannotTellError
            yield part.declared.name

    @cached_property
    def _giving(self) -> list[str]:
        """The files that give the views below them a base."""
        return [path for path in self.seen if path.rpartition("/")[2].lower() in GIVING]


def _holding(names: Iterable[str], texts: PackedTexts) -> set[str]:
    """Return the paths of texts in which one of some names stands."""
    return {path for word in in_bytes(names) for path in texts.holding(word)}


def name_of(written: str) -> str:
    """Return the name of a type without its arguments, as who resolves it reads it."""
    return written if written.isidentifier() else read_written(written, family=LANGUAGE).name
