"""Tell in which files declarations may mean something else since types of C# came, went or changed.

What a declaration means depends on the types that it names. So the names of the types in the files that changed
count, then those of types that derive from one, and so on; and the names of what these derive from, as what
implements an interface matters to those who ask for that.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts
from ragduck.graph.types.attributes import ENDING
from ragduck.graph.types.declarations import INTERFACES, family_of, is_visual_basic
from ragduck.graph.types.opened_for_many import RAZOR_IMPORTS
from ragduck.preparation.declared_otherwise import LANGUAGE, is_like_before, words_in
from ragduck.preparation.declared_parts import CannotTellError, DeclaredParts
from ragduck.preparation.followed_types import FollowedTypes
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.opened_otherwise import Files, seen_otherwise


class Reached(NamedTuple):
    """The files that are reached, and the keys of the types in those that changed, as they were and as they are."""

    keys: frozenset[str]
    paths: frozenset[str]


def reached_declarations(
    before: Mapping[str, FileFacts],
    files: Iterable[FileFacts],
    packed: Mapping[str, bytes],
    words: KnownWords | None = None,
) -> Reached | None:
    """Return the files whose declarations may mean something else, those that changed among them.

    ``before`` has files that declare something else than they did, as they were, by path; ``files`` are all as they
    are, whose facts are ``packed``. ``words`` tells where words stood in an earlier run. None where more may mean
    something else than what names a type.
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
    declared = Files(before, now, others)
    seen = seen_otherwise(declared)
    if seen is None:
        return None
    keys = frozenset(one.key for each in (before, now) for file in each.values() for one in file.types)
    try:
        paths = frozenset(_paths(DeclaredParts(declared, packed, words), keys | seen))
    except CannotTellError:
        return None
    return Reached(keys, paths | now.keys())


def _paths(parts: DeclaredParts, types: AbstractSet[str]) -> Iterator[str]:
    """Yield the files that declare something by some types, or ask for what these implement.

    Raises CannotTellError.
    """
    followed = FollowedTypes(parts, types, are_declarations=True)
    followed.follow()
    yield from followed.paths
    marks = {name.removesuffix(ENDING) for name in followed.names if name.endswith(ENDING)}
    yield from parts.declaring((marks | _asked(parts, followed.types)) - {""})


def _asked(parts: DeclaredParts, types: AbstractSet[str]) -> AbstractSet[str]:
    """Return the names of interfaces that some types may implement, and what many files call these."""
    above = (part.declared for key in parts.bases(types) for part in parts.of[key])
    names = {one.name for one in above if one.element_type in INTERFACES}
    shared = (
        one
        for file in parts.all_files()
        for one in file.imports
        if one.alias and (one.is_global or file.path.lower().endswith(RAZOR_IMPORTS))
    )
    return names | {one.alias for one in shared if not names.isdisjoint(words_in((one.name,)))}
