"""Tell in which files declarations may mean something else since types of C# came, went or changed.

What a declaration means depends on the types that it names. So the names of the types in the files that changed
count, then those of types that derive from one, and so on; and the names of what these derive from, as what
implements an interface matters to those who ask for that.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.facts.packing import head_of, in_words
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import INTERFACES, family_of, is_visual_basic
from ragduck.graph.types.opened_for_many import RAZOR, RAZOR_IMPORTS
from ragduck.preparation.declared_otherwise import LANGUAGE, is_like_before, words_in
from ragduck.preparation.opened_otherwise import Files, seen_otherwise
from ragduck.preparation.standing_names import in_bytes, stands_in

MOST_NAMES = 24  # that are looked for, each in 5 ms among 15 MB: beyond, rules look through all of it as fast


class Reached(NamedTuple):
    """The files that are reached, and the keys of the types in those that changed, as they were and as they are."""

    keys: frozenset[str]
    paths: frozenset[str]


def reached_declarations(
    before: Mapping[str, FileFacts], files: Iterable[FileFacts], packed: Mapping[str, bytes]
) -> Reached | None:
    """Return the files whose declarations may mean something else, those that changed among them.

    ``before`` has files that declare something else than they did, as they were, by path; ``files`` are all as they
    are, whose facts are ``packed``. None where more may mean something else than what names a type.
    """
    by_path = {file.path: file for file in files}
    now = {path: by_path[path] for path in before if path in by_path}
    if now.keys() != before.keys() or not all(is_like_before(before[path], now[path]) for path in before):
        return None
    if any(map(is_visual_basic, by_path.values())):
        return None  # which spells names as it likes
    others = {
        path: file
        for path, file in by_path.items()
        if path not in now and family_of(file.language) == LANGUAGE
    }
    seen = seen_otherwise(Files(before, now, others))
    if seen is None:
        return None
    changed = [*before.values(), *now.values()]
    keys = frozenset(one.key for file in changed for one in file.types)
    names = {one.name for file in changed for one in file.types}
    names |= {one.name for file in others.values() for one in file.types if one.key in seen}
    paths = _Names(changed, by_path, packed).paths(names)
    return Reached(keys, paths) if paths is not None else None


class _Names:
    """Follow names of types from files that changed, in declarations."""

    def __init__(
        self, changed: Iterable[FileFacts], files: Mapping[str, FileFacts], packed: Mapping[str, bytes]
    ) -> None:
        self._changed = tuple(changed)
        self._files = files
        self._heads = {path: in_words(head_of(packed[path])) for path in files}
        self._bases: defaultdict[str, set[str]] = defaultdict(set)  # words in them, by the names of types
        self._interfaces: set[str] = set()
        self._shared = _shared_aliases(files.values())
        self._read_bases()

    def paths(self, pending: set[str]) -> frozenset[str] | None:
        """Return the files that are reached from types of some names; None where they may be others, or many."""
        paths = {file.path for file in self._changed}
        names: set[str] = set()
        while pending:
            names |= pending
            if len(names) > MOST_NAMES:
                return None
            found = self._naming(pending)
            if any(path.lower().endswith(RAZOR_IMPORTS) for path in found):
                return None  # which give bases to files that name none
            paths |= found
            pending = {name for path in found for name in self._derived(self._files[path], names)} - names
        asked = self._above(names) & self._interfaces
        asked |= {alias for alias, meant in self._shared.items() if not asked.isdisjoint(meant)}
        return frozenset(paths | self._naming(asked)) if len(asked) <= MOST_NAMES else None

    def _naming(self, names: AbstractSet[str]) -> set[str]:
        """Return the files in whose declarations a name stands, as that of an attribute, too."""
        words = in_bytes({one for name in names for one in (name, name.removesuffix(ENDING))} - {""})
        return {path for path, head in self._heads.items() if any(stands_in(word, head) for word in words)}

    def _derived(self, file: FileFacts, names: AbstractSet[str]) -> Iterator[str]:
        """Yield the names of types in a file that may derive from one of some names, and other names of those."""
        aliases = [one.alias for one in file.imports if one.alias and _names_one((one.name,), names)]
        yield from aliases
        known = names | set(aliases)
        for one in file.types:
            if file.language != LANGUAGE or _names_one(one.bases, known):
                yield one.name

    def _read_bases(self) -> None:
        given = _given_bases(self._files.values())
        for file in (*self._changed, *self._files.values()):
            aliases = {one.alias: one.name for one in file.imports if one.alias}
            for one in file.types:
                words = {*words_in(one.bases), *(given if file.language == RAZOR else ())}
                meant = (aliases[word] for word in words & aliases.keys())
                shared = (self._shared[word] for word in words & self._shared.keys())
                self._bases[one.name].update(words, words_in(meant), *shared)
                if one.element_type in INTERFACES:
                    self._interfaces.add(one.name)

    def _above(self, names: AbstractSet[str]) -> set[str]:
        """Return the names of types that those with some names may derive from, but for these."""
        found: set[str] = set()
        pending = set(names)
        while pending:
            words = set().union(*(self._bases.get(name, ()) for name in pending))
            pending = (words & self._bases.keys()) - found - names
            found |= pending
        return found


def _shared_aliases(files: Iterable[FileFacts]) -> Mapping[str, AbstractSet[str]]:
    """Return names for types that hold beyond the files that give them, with the words of what they mean."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    for file in files:
        is_razor = file.path.lower().endswith(RAZOR_IMPORTS)
        for one in file.imports:
            if one.alias and (one.is_global or is_razor):
                found[one.alias].update(words_in((one.name,)))
    return found


def _given_bases(files: Iterable[FileFacts]) -> AbstractSet[str]:
    """Return the words of what views derive from that name no base, by files above them."""
    giving = (file.views for file in files if file.path.lower().endswith(RAZOR_IMPORTS))
    return set(words_in(one.name for views in giving for one in views if one.how == "inherits"))


def _names_one(written: Iterable[str], names: AbstractSet[str]) -> bool:
    return not names.isdisjoint(words_in(written))
