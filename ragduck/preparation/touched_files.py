"""Tell whose statements can mean something else since members were added, removed or declared otherwise.

Statements ask for members by the names that stand in them. So while types, namespaces and imports are what they were,
only files with one of the names have to be read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from ragduck.facts import FileFacts, MemberFact
from ragduck.facts.digests import NO_DECLARATIONS, changed_members
from ragduck.facts.packing import declarations_of, head_of, read_head
from ragduck.graph.types.opened_for_many import RAZOR, RAZOR_IMPORTS
from ragduck.preparation import followed_types
from ragduck.preparation.declared_otherwise import (
    LANGUAGE,
    as_they_are_read,
    constructed_in,
    last_name,
    words_in,
)
from ragduck.preparation.eased_types import eased_types
from ragduck.preparation.known_words import KnownWords
from ragduck.preparation.named_values import Heads, Names, typed_by, valued_by
from ragduck.preparation.other_languages import declared_apart, files_of_families
from ragduck.preparation.reached_members import reached_by_members
from ragduck.preparation.touched_types import OnlyMembers, touched_by_types

COMPONENT = ".razor"
MOST_NAMES = 100  # that are looked for: each takes some 15 ms of 40 MB of facts


class Touched(NamedTuple):
    """The paths of files whose statements may call or use something else than before, by the names in them.

    ``reaching`` are those of them that can mean what is declared otherwise, by the types of what they name.
    ``types_may_differ`` where there are other types, or types are declared otherwise. ``through_values`` are files
    whose statements name members in whose values such stand that are declared otherwise; None where that may be any.
    ``valued`` are these members then.
    """

    paths: frozenset[str]
    reaching: frozenset[str]
    types_may_differ: bool = False
    through_values: frozenset[str] | None = frozenset()
    valued: tuple[MemberFact, ...] = ()


def touched_files(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Callable[[], Mapping[str, FileFacts]],
    words: KnownWords | None = None,
) -> Touched | None:
    """Return the files whose statements may mean something else than before, those that changed among them.

    ``heads`` has the packed declarations of files as they were, ``facts`` all packed facts as they are, and ``files``
    reads these, by path. ``words`` tells where words stood in an earlier run. None where it takes reading all
    statements to know.
    """
    apart = declared_apart(heads, facts, changed)
    if not apart:
        return _touched_by(heads, facts, changed, files, words)
    found = _touched_by(heads, facts, changed - apart.keys(), files, words)
    if found is None:
        return None
    others = apart.keys() | files_of_families(frozenset().union(*apart.values()), files())
    return found._replace(paths=found.paths | others, reaching=found.reaching | others, types_may_differ=True)


def _touched_by(
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Callable[[], Mapping[str, FileFacts]],
    words: KnownWords | None,
) -> Touched | None:
    """Return the same where no file that changed is of a language whose names only that language sees."""
    members, in_values = _changed_members(heads, facts, changed), False
    if members is None:
        found = touched_by_types(heads, facts, changed, files(), words)
        if not isinstance(found, OnlyMembers):
            return _eased(found, heads, facts, changed, files, words) or _by_types(found)
        members, in_values = found
    if not members:
        return Touched(
            frozenset(changed), frozenset(changed), through_values=None if in_values else frozenset()
        )
    names = frozenset(map(last_name, members))
    declared = Heads(heads, facts, changed, files, words)
    typed = typed_by(names, declared)
    names |= typed
    made = frozenset(one.name for one in members if one.element_type == "constructor")
    renaming = _naming_otherwise(made, declared)
    if renaming is None or len(names) > MOST_NAMES:
        return None
    touched = _touched(names, facts, renaming | changed, words)
    reaching = (
        reached_by_members(heads, facts, changed, files, members, touched, words) if not typed else touched
    )
    valued = valued_by(names, declared) if not (made or in_values) else None
    if valued is None or valued.is_elsewhere or len(valued.names) > MOST_NAMES:
        return Touched(touched, reaching, through_values=None)
    through = _touched(valued.names, facts, touched, words) - touched
    return Touched(touched, reaching, through_values=through, valued=valued.members)


def _by_types(paths: frozenset[str] | None) -> Touched | None:
    return Touched(paths, paths, types_may_differ=True, through_values=None) if paths is not None else None


def _eased(
    paths: frozenset[str] | None,
    heads: Mapping[str, bytes],
    facts: Mapping[str, bytes],
    changed: AbstractSet[str],
    files: Callable[[], Mapping[str, FileFacts]],
    words: KnownWords | None,
) -> Touched | None:
    """Return what is touched where types differ by what few statements notice; rules may in ``paths``, or in all.

    None where they do not, or where few are touched anyway.
    """
    if paths is not None and len(paths) < followed_types.WORTH_FILES:
        return None
    eased = eased_types(heads, facts, changed, files(), words)
    others = _touched_by(eased.heads, facts, changed, files, words) if eased is not None else None
    if eased is None or others is None:
        return None
    everywhere = paths if paths is not None else frozenset(facts)
    reaching = (others.reaching | eased.paths) & everywhere
    return Touched(everywhere | others.paths, reaching, types_may_differ=True, through_values=None)


def _touched(
    names: AbstractSet[str], facts: Mapping[str, bytes], known: frozenset[str], words: KnownWords | None
) -> frozenset[str]:
    """Return the files of which it is ``known``, and those in whose statements one of the names stands."""
    return known | Names(names).standing_in(facts, words) if names else known


def _naming_otherwise(types: AbstractSet[str], declared: Heads) -> frozenset[str] | None:
    """Return the files that may make an object of one of some types by another name; None where that may be any."""
    found: set[str] = set()
    for file in declared.holding(types):
        aliases = [one for one in file.imports if one.alias and not types.isdisjoint(words_in([one.name]))]
        if any(one.is_global for one in aliases) or (aliases and file.language != LANGUAGE):
            return None  # which other files see, too
        if aliases:
            found.add(file.path)
    return frozenset(found)


def _changed_members(
    heads: Mapping[str, bytes], facts: Mapping[str, bytes], changed: AbstractSet[str]
) -> tuple[MemberFact, ...] | None:
    """Return the members that are declared otherwise, as they were and as they are, if nothing else is."""
    members: list[MemberFact] = []
    for path in changed:
        before, now = heads.get(path), facts.get(path)
        if now is None or declarations_of(now) == NO_DECLARATIONS:
            if before is None:
                continue
            return None
        found = _changed_in(*_read_as(before, head_of(now))) if before is not None else None
        if found is None:
            return None
        members += found
    return tuple(members)


def _is_component(file: FileFacts) -> bool:
    """Say whether a file is a component of Blazor, of which others ask for members by names, as of a class."""
    path = file.path.lower()
    return file.language == RAZOR and path.endswith(COMPONENT) and not path.endswith(RAZOR_IMPORTS)


def _read_as(before: bytes, now: bytes) -> tuple[FileFacts, FileFacts]:
    return as_they_are_read(read_head(before)), as_they_are_read(read_head(now))


def _changed_in(before: FileFacts, now: FileFacts) -> Iterable[MemberFact] | None:
    names = changed_members(before, now)
    if not names:
        return () if names is not None else None
    members = [one for one in (*before.members, *now.members) if one.name in names]
    if not (now.language == LANGUAGE or _is_component(now)) or not all(one.owner for one in members):
        return None  # a function's name is looked up with its module
    if constructed_in(before) != constructed_in(now):
        return None  # `new` may name the type by an alias
    return members if all(last_name(one).isidentifier() for one in members) else None
